/// What the control interface says of itself: `Documentation/control.openapi.json` without its line ends, which
/// `Tests/Schema/openapi.py` holds beside this and has a validator look at.
enum OpenAPI {
    static let document = #"""
        {"openapi":"3.1.0","info":{"title":"Control interface of understudy serve","version":"1","descriptio\#
        n":"Documentation/CONTROL.md explains it."},"servers":[{"url":"http://127.0.0.1:{port}","variables":\#
        {"port":{"default":"8081"}}}],"paths":{"/ready":{"get":{"operationId":"ready","summary":"Whether th\#
        e server listens.","responses":{"200":{"description":"It does.","content":{"application/json":{"sche\#
        ma":{"type":"object","required":["ready","url"],"properties":{"ready":{"const":true},"url":{"type":"\#
        string"}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P40\#
        3"},"431":{"$ref":"#/components/responses/P431"},"501":{"$ref":"#/components/responses/P501"}}}},"/o\#
        penapi.json":{"get":{"operationId":"document","summary":"This document.","responses":{"200":{"descri\#
        ption":"It.","content":{"application/json":{"schema":{"type":"object"}}}},"400":{"$ref":"#/component\#
        s/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"431":{"$ref":"#/components/response\#
        s/P431"},"501":{"$ref":"#/components/responses/P501"}}}},"/scopes":{"get":{"operationId":"scopes","s\#
        ummary":"All scopes that somebody has named.","responses":{"200":{"description":"That of requests wi\#
        thout a name first.","content":{"application/json":{"schema":{"type":"object","required":["scopes"],\#
        "properties":{"scopes":{"type":"array","items":{"$ref":"#/components/schemas/Scope"}}}}}}},"400":{"$\#
        ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"431":{"$ref":"#/co\#
        mponents/responses/P431"},"501":{"$ref":"#/components/responses/P501"}}}},"/script":{"put":{"operati\#
        onId":"load","summary":"Plays another script from now on.","description":"Its hosts must be the same\#
        . It can read no files. A load that began before the one in place changes nothing (409).","parameter\#
        s":[{"$ref":"#/components/parameters/scopes"},{"name":"case","in":"query","description":"Which of it\#
        s cases; the first without it. No other is read.","schema":{"type":"string"}}],"requestBody":{"requi\#
        red":true,"content":{"application/yaml":{"schema":{"type":"string","description":"A scenario file."}\#
        }}},"responses":{"200":{"description":"It is played.","content":{"application/json":{"schema":{"type\#
        ":"object","required":["scenario","diagnostics"],"properties":{"scenario":{"type":"string"},"diagnos\#
        tics":{"type":"array","items":{"type":"string"}}}}}}},"400":{"$ref":"#/components/responses/P400"},"\#
        403":{"$ref":"#/components/responses/P403"},"431":{"$ref":"#/components/responses/P431"},"501":{"$re\#
        f":"#/components/responses/P501"},"404":{"$ref":"#/components/responses/P404"},"409":{"$ref":"#/comp\#
        onents/responses/P409"},"413":{"$ref":"#/components/responses/P413"},"422":{"$ref":"#/components/res\#
        ponses/P422"},"503":{"$ref":"#/components/responses/P503"}}}},"/reset":{"post":{"operationId":"reset\#
        ","summary":"The script begins anew; what was asked is forgotten, and what is frozen is let go.","pa\#
        rameters":[{"$ref":"#/components/parameters/scopes"}],"responses":{"204":{"description":"Done."},"40\#
        0":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"431":{"$ref"\#
        :"#/components/responses/P431"},"501":{"$ref":"#/components/responses/P501"},"404":{"$ref":"#/compon\#
        ents/responses/P404"},"503":{"$ref":"#/components/responses/P503"}}}},"/verdict":{"get":{"operationI\#
        d":"verdict","summary":"The verdict as if the server stopped now.","parameters":[{"$ref":"#/componen\#
        ts/parameters/scope"}],"responses":{"200":{"description":"It, whatever it is.","content":{"applicati\#
        on/json":{"schema":{"$ref":"#/components/schemas/Verdict"}}}},"400":{"$ref":"#/components/responses/\#
        P400"},"403":{"$ref":"#/components/responses/P403"},"431":{"$ref":"#/components/responses/P431"},"50\#
        1":{"$ref":"#/components/responses/P501"},"404":{"$ref":"#/components/responses/P404"}}}},"/journal"\#
        :{"get":{"operationId":"journal","summary":"What was asked in the present round, the newest of it.",\#
        "parameters":[{"$ref":"#/components/parameters/scope"},{"name":"method","in":"query","schema":{"type\#
        ":"string"}},{"name":"path","in":"query","description":"As in a filter.","schema":{"type":"string"}}\#
        ,{"name":"status","in":"query","schema":{"type":"integer","minimum":100,"maximum":999}},{"name":"vio\#
        lations","in":"query","description":"Only requests that were violations, or only others.","schema":{\#
        "type":"boolean"}},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":100\#
        0}},{"name":"after","in":"query","description":"Only entries with a higher number, the first of them\#
        ; without it the last of all.","schema":{"type":"integer","minimum":0,"maximum":1000000000}}],"respo\#
        nses":{"200":{"description":"Entries in the order in which they were read.","content":{"application/\#
        json":{"schema":{"type":"object","required":["count","forgotten","entries"],"properties":{"count":{"\#
        type":"integer","minimum":0,"maximum":1000000000,"description":"How many there are, also those beyon\#
        d the limit."},"forgotten":{"type":"integer","minimum":0,"description":"Requests of the round that t\#
        he journal has no room for any more."},"entries":{"type":"array","items":{"$ref":"#/components/schem\#
        as/Entry"}}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/\#
        P403"},"431":{"$ref":"#/components/responses/P431"},"501":{"$ref":"#/components/responses/P501"},"40\#
        4":{"$ref":"#/components/responses/P404"}}}},"/wait":{"post":{"operationId":"wait","summary":"Wait\#
        s until so many requests of a kind have come.","parameters":[{"$ref":"#/components/parameters/scope"\#
        }],"requestBody":{"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Fi\#
        lter"}],"unevaluatedProperties":false,"properties":{"count":{"type":"integer","minimum":1,"maximum":\#
        1000000,"description":"Those that came before in this round count.","default":1},"timeout":{"type":"\#
        integer","minimum":0,"maximum":300000,"description":"In milliseconds.","default":10000}}}}}},"respon\#
        ses":{"200":{"description":"The last of them.","content":{"application/json":{"schema":{"type":"obje\#
        ct","required":["connection","exchange","method","target"],"properties":{"connection":{"type":"integ\#
        er"},"exchange":{"type":"integer"},"method":{"type":"string"},"target":{"type":"string"}}}}}},"400":\#
        {"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"431":{"$ref":"#\#
        /components/responses/P431"},"501":{"$ref":"#/components/responses/P501"},"408":{"$ref":"#/component\#
        s/responses/P408"},"503":{"$ref":"#/components/responses/P503"}}}},"/verify":{"post":{"operationId":\#
        "verify","summary":"Whether it was asked what was wanted.","parameters":[{"$ref":"#/components/param\#
        eters/scope"}],"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/com\#
        ponents/schemas/Verification"}}}},"responses":{"200":{"description":"It was.","content":{"applicatio\#
        n/json":{"schema":{"type":"object","properties":{"verified":{"const":true}}}}}},"400":{"$ref":"#/com\#
        ponents/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"431":{"$ref":"#/components/re\#
        sponses/P431"},"501":{"$ref":"#/components/responses/P501"},"404":{"$ref":"#/components/responses/P4\#
        04"},"409":{"$ref":"#/components/responses/P409"}}}},"/signals/{name}":{"post":{"operationId":"signa\#
        l","summary":"Lets answers go on that await this.","parameters":[{"name":"name","in":"path","require\#
        d":true,"schema":{"type":"string"}},{"$ref":"#/components/parameters/scopes"}],"responses":{"204":{"\#
        description":"Done."},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/respo\#
        nses/P403"},"404":{"$ref":"#/components/responses/P404"},"503":{"$ref":"#/components/responses/P503"\#
        }}}},"/freeze":{"post":{"operationId":"freeze","summary":"Nothing is answered until /let-go.","param\#
        eters":[{"$ref":"#/components/parameters/scopes"}],"responses":{"204":{"description":"Done."},"400":\#
        {"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"431":{"$ref":"#\#
        /components/responses/P431"},"501":{"$ref":"#/components/responses/P501"},"404":{"$ref":"#/component\#
        s/responses/P404"},"503":{"$ref":"#/components/responses/P503"}}}},"/let-go":{"post":{"operationId":\#
        "letGo","summary":"What was frozen goes on.","parameters":[{"$ref":"#/components/parameters/scopes"}\#
        ],"responses":{"204":{"description":"Done."},"400":{"$ref":"#/components/responses/P400"},"403":{"$r\#
        ef":"#/components/responses/P403"},"431":{"$ref":"#/components/responses/P431"},"501":{"$ref":"#/com\#
        ponents/responses/P501"},"404":{"$ref":"#/components/responses/P404"},"503":{"$ref":"#/components/re\#
        sponses/P503"}}}}},"components":{"parameters":{"scope":{"name":"scope","in":"query","description":"T\#
        he scope that it is about; without it that of requests which name none.","schema":{"type":"string","\#
        pattern":"^([A-Za-z0-9._~-]{1,64}|/.*)$"}},"scopes":{"name":"scope","in":"query","description":"Th\#
        e scope that it is about; without it all of them.","schema":{"type":"string","pattern":"^([A-Za-z0-9\#
        ._~-]{1,64}|/.*)$"}}},"responses":{"P400":{"description":"A parameter or the body is wrong, or the r\#
        equest is none of HTTP/1.1: the connection may end.","content":{"application/problem+json":{"schema"\#
        :{"$ref":"#/components/schemas/Problem"}}}},"P403":{"description":"It has an Origin, so it comes fro\#
        m a web page.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem\#
        "}}}},"P404":{"description":"No such scope, or no such signal.","content":{"application/problem+json\#
        ":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P408":{"description":"The deadline came firs\#
        t.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P409\#
        ":{"description":"Not as wanted, or not on this server.","content":{"application/problem+json":{"sch\#
        ema":{"$ref":"#/components/schemas/Problem"}}}},"P413":{"description":"The body is larger than the s\#
        erver takes, 1 MiB unless --limit control-body says otherwise.","content":{"application/problem+json\#
        ":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P422":{"description":"The scenario has mista\#
        kes.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P4\#
        31":{"description":"The head is larger than 64 KiB, or has more than 256 fields. The connection ends\#
        .","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P501"\#
        :{"description":"The method is none that the server knows. The connection ends.","content":{"applica\#
        tion/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P503":{"description":"No ro\#
        om for more.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"\#
        }}}}},"schemas":{"Filter":{"type":"object","properties":{"method":{"type":"string","description":"A\#
        s it was sent.","examples":["GET"]},"path":{"type":"string","description":"Without a query unless i\#
        t has a ?; * is any characters.","examples":["/users/*"]},"fields":{"type":"object","additionalPrope\#
        rties":{"type":"string"},"description":"Values by name of the field; * stands for any characters."}}\#
        },"Problem":{"type":"object","description":"RFC 9457.","required":["type","title","status","detail"]\#
        ,"properties":{"type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detai\#
        l":{"type":"string"},"findings":{"type":"array","items":{"type":"string"}}}},"Scope":{"type":"object\#
        ","required":["name","requests","violations","underWay","consumed","frozen"],"properties":{"name":{"\#
        type":"string"},"requests":{"type":"integer"},"violations":{"type":"integer"},"underWay":{"type":"bo\#
        olean"},"consumed":{"type":"boolean"},"frozen":{"type":"boolean"}}},"Verdict":{"type":"object","requ\#
        ired":["fulfilled","requests","violationCount","violations","unconsumed"],"properties":{"fulfilled":\#
        {"type":"boolean"},"requests":{"type":"integer"},"violationCount":{"type":"integer"},"violations":{"\#
        type":"array","items":{"type":"string"}},"unconsumed":{"type":"array","items":{"type":"string"}}}},"\#
        Entry":{"type":"object","description":"Secrets are hidden. Without a method it was no request.","req\#
        uired":["number","connection","exchange","began","method","target","host","bodyBytes","fields"],"pro\#
        perties":{"number":{"type":"integer"},"connection":{"type":"integer"},"exchange":{"type":"integer"},\#
        "began":{"type":"integer","description":"When its head had been read, in microseconds of a clock tha\#
        t only goes forward: differences count."},"answered":{"type":"integer","description":"When the hea\#
        d of its answer was written, by the same clock."},"method":{"type":"string"},"target":{"type":"strin\#
        g"},"host":{"type":"string"},"conn":{"type":"string","description":"The label in the script."},"fiel\#
        ds":{"type":"array","items":{"type":"object","required":["name","value"],"properties":{"name":{"type\#
        ":"string"},"value":{"type":"string"}}}},"bodyBytes":{"type":"integer"},"body":{"type":"string","des\#
        cription":"Its beginning, where it is text."},"status":{"type":"integer"},"faults":{"type":"array","\#
        items":{"type":"string"}},"violation":{"type":"string"}}},"Verification":{"type":"object","additiona\#
        lProperties":false,"required":["requests"],"properties":{"requests":{"type":"array","maxItems":256,"\#
        items":{"allOf":[{"$ref":"#/components/schemas/Filter"}],"unevaluatedProperties":false,"properties":\#
        {"count":{"type":"integer","minimum":0,"maximum":1000000000},"atLeast":{"type":"integer","minimum":0\#
        ,"maximum":1000000000,"default":1},"atMost":{"type":"integer","minimum":0,"maximum":1000000000}}}},"\#
        ordered":{"type":"boolean","default":false,"description":"All of one item come before all of the nex\#
        t."},"closed":{"type":"boolean","default":false,"description":"Requests that no item means are wrong\#
        ."}}}}}}
        """#
}
