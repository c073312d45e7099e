-- For wrk: each request has a head of its own, so that none was there before.
local number = 0

function request()
    number = number + 1
    return wrk.format(nil, nil, { ["X-Number"] = number })
end
