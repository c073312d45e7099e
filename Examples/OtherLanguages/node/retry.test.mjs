// A client that asks again when its server is busy, and one that gives up too early.
import assert from "node:assert/strict"
import { test } from "node:test"
import { serve } from "./understudy.mjs"

// Busy twice, then well: a client that asks once is not what the script wants.
const flaky = `
server:
  - {request: GET /order, reply: {status: 503, headers: {Retry-After: "0"}}, times: 2}
  - {request: GET /order, reply: {body: ready}}
`

async function fetchOrder(url, attempts) {
    for (let attempt = 0; attempt < attempts; attempt++) {
        const response = await fetch(url)
        if (response.ok) return response.text()
        await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("retry-after"))))
    }
    return undefined
}

test("a busy server is asked again", async (t) => {
    const server = await serve(t, flaky)
    assert.equal(await fetchOrder(server.url + "/order", 5), "ready")
})

test("giving up too early fails", async () => {
    const server = await serve(flaky)
    await fetchOrder(server.url + "/order", 1)
    await assert.rejects(server.finish(), /NOT fulfilled/)
})

test("a body that ends early is noticed", async () => {
    const server = await serve(`
bodies: {film: {pattern: counter, size: 1MB}}
server:
  - {request: GET /film, reply: {body: film}, fault: {at: body+400000, do: fin}}
`)
    await assert.rejects((await fetch(server.url + "/film")).text())
    await server.finish()
    await server.finish()
})

test("the server is controlled, also where it writes JSON", async (t) => {
    for (const log of ["text", "json"]) {
        const server = await serve(t, "routes: [{request: GET /a}]", "--admin", "0", "--log", log)
        await fetch(server.url + "/a")
        assert.equal((await (await fetch(server.control + "/journal")).json()).count, 1)
    }
})
