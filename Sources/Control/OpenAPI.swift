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
        3"}}}},"/openapi.json":{"get":{"operationId":"document","summary":"This document.","responses":{"200\#
        ":{"description":"It.","content":{"application/json":{"schema":{"type":"object"}}}},"400":{"$ref":"#\#
        /components/responses/P400"},"403":{"$ref":"#/components/responses/P403"}}}},"/scopes":{"get":{"oper\#
        ationId":"scopes","summary":"All scopes that somebody has named.","responses":{"200":{"description":\#
        "That of requests without a name first.","content":{"application/json":{"schema":{"type":"object","r\#
        equired":["scopes"],"properties":{"scopes":{"type":"array","items":{"$ref":"#/components/schemas/Sco\#
        pe"}}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"}\#
        }}},"/script":{"put":{"operationId":"load","summary":"Plays another script from now on.","descriptio\#
        n":"Its hosts must be the same. It can read no files. A load that began before the one in place chan\#
        ges nothing (409).","parameters":[{"$ref":"#/components/parameters/scopes"},{"name":"case","in":"que\#
        ry","description":"Which of its cases; the first without it. No other is read.","schema":{"type":"st\#
        ring"}}],"requestBody":{"required":true,"content":{"application/yaml":{"schema":{"type":"string","de\#
        scription":"A scenario file."}}}},"responses":{"200":{"description":"It is played.","content":{"appl\#
        ication/json":{"schema":{"type":"object","required":["scenario","diagnostics"],"properties":{"scenar\#
        io":{"type":"string"},"diagnostics":{"type":"array","items":{"type":"string"}}}}}}},"400":{"$ref":"#\#
        /components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$ref":"#/component\#
        s/responses/P404"},"409":{"$ref":"#/components/responses/P409"},"413":{"$ref":"#/components/response\#
        s/P413"},"422":{"$ref":"#/components/responses/P422"},"503":{"$ref":"#/components/responses/P503"}}}\#
        },"/reset":{"post":{"operationId":"reset","summary":"The script begins anew; what was asked is forgo\#
        tten.","parameters":[{"$ref":"#/components/parameters/scopes"}],"responses":{"204":{"description":"D\#
        one."},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"40\#
        4":{"$ref":"#/components/responses/P404"},"503":{"$ref":"#/components/responses/P503"}}}},"/verdict"\#
        :{"get":{"operationId":"verdict","summary":"The verdict as if the server stopped now.","parameters":\#
        [{"$ref":"#/components/parameters/scope"}],"responses":{"200":{"description":"It, whatever it is.","\#
        content":{"application/json":{"schema":{"$ref":"#/components/schemas/Verdict"}}}},"400":{"$ref":"#/c\#
        omponents/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$ref":"#/components/\#
        responses/P404"}}}},"/journal":{"get":{"operationId":"journal","summary":"What was asked in the pres\#
        ent round, the newest of it.","parameters":[{"$ref":"#/components/parameters/scope"},{"name":"method\#
        ","in":"query","schema":{"type":"string"}},{"name":"path","in":"query","description":"As in a filter\#
        .","schema":{"type":"string"}},{"name":"status","in":"query","schema":{"type":"integer","minimum":10\#
        0,"maximum":999}},{"name":"violations","in":"query","description":"Only requests that were violation\#
        s, or only others.","schema":{"type":"boolean"}},{"name":"limit","in":"query","schema":{"type":"inte\#
        ger","minimum":1,"maximum":1000}},{"name":"after","in":"query","description":"Only entries with a hi\#
        gher number, the first of them; without it the last of all.","schema":{"type":"integer","minimum":0,\#
        "maximum":1000000000}}],"responses":{"200":{"description":"Entries in the order in which they were r\#
        ead.","content":{"application/json":{"schema":{"type":"object","required":["count","forgotten","entr\#
        ies"],"properties":{"count":{"type":"integer","minimum":0,"maximum":1000000000,"description":"How ma\#
        ny there are, also those beyond the limit."},"forgotten":{"type":"integer","minimum":0,"description"\#
        :"Requests of the round that the journal has no room for any more."},"entries":{"type":"array","item\#
        s":{"$ref":"#/components/schemas/Entry"}}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"\#
        $ref":"#/components/responses/P403"},"404":{"$ref":"#/components/responses/P404"}}}},"/wait":{"post"\#
        :{"operationId":"wait","summary":"Waits until so many requests of a kind have come.","parameters":[{\#
        "$ref":"#/components/parameters/scope"}],"requestBody":{"content":{"application/json":{"schema":{"al\#
        lOf":[{"$ref":"#/components/schemas/Filter"}],"unevaluatedProperties":false,"properties":{"count":{"\#
        type":"integer","minimum":1,"maximum":1000000,"description":"Those that came before in this round co\#
        unt.","default":1},"timeout":{"type":"integer","minimum":0,"maximum":300000,"description":"In millis\#
        econds.","default":10000}}}}}},"responses":{"200":{"description":"The last of them.","content":{"app\#
        lication/json":{"schema":{"type":"object","required":["connection","exchange","method","target"],"pr\#
        operties":{"connection":{"type":"integer"},"exchange":{"type":"integer"},"method":{"type":"string"},\#
        "target":{"type":"string"}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/compon\#
        ents/responses/P403"},"408":{"$ref":"#/components/responses/P408"},"503":{"$ref":"#/components/respo\#
        nses/P503"}}}},"/verify":{"post":{"operationId":"verify","summary":"Whether it was asked what was wa\#
        nted.","parameters":[{"$ref":"#/components/parameters/scope"}],"requestBody":{"required":true,"conte\#
        nt":{"application/json":{"schema":{"$ref":"#/components/schemas/Verification"}}}},"responses":{"200"\#
        :{"description":"It was.","content":{"application/json":{"schema":{"type":"object","properties":{"ve\#
        rified":{"const":true}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components\#
        /responses/P403"},"404":{"$ref":"#/components/responses/P404"},"409":{"$ref":"#/components/responses\#
        /P409"}}}},"/signals/{name}":{"post":{"operationId":"signal","summary":"Lets answers go on that awai\#
        t this.","parameters":[{"name":"name","in":"path","required":true,"schema":{"type":"string"}},{"$ref\#
        ":"#/components/parameters/scopes"}],"responses":{"204":{"description":"Done."},"400":{"$ref":"#/com\#
        ponents/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$ref":"#/components/re\#
        sponses/P404"},"503":{"$ref":"#/components/responses/P503"}}}},"/freeze":{"post":{"operationId":"fre\#
        eze","summary":"Nothing is answered until /let-go.","parameters":[{"$ref":"#/components/parameters/s\#
        copes"}],"responses":{"204":{"description":"Done."},"400":{"$ref":"#/components/responses/P400"},"40\#
        3":{"$ref":"#/components/responses/P403"},"404":{"$ref":"#/components/responses/P404"},"503":{"$ref"\#
        :"#/components/responses/P503"}}}},"/let-go":{"post":{"operationId":"letGo","summary":"What was froz\#
        en goes on.","parameters":[{"$ref":"#/components/parameters/scopes"}],"responses":{"204":{"descripti\#
        on":"Done."},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403\#
        "},"404":{"$ref":"#/components/responses/P404"},"503":{"$ref":"#/components/responses/P503"}}}}},"co\#
        mponents":{"parameters":{"scope":{"name":"scope","in":"query","description":"The scope that it is ab\#
        out; without it that of requests which name none.","schema":{"type":"string","pattern":"^([A-Za-z0-9\#
        ._~-]{1,64}|/.*)$"}},"scopes":{"name":"scope","in":"query","description":"The scope that it is about\#
        ; without it all of them.","schema":{"type":"string","pattern":"^([A-Za-z0-9._~-]{1,64}|/.*)$"}}},"r\#
        esponses":{"P400":{"description":"A parameter or the body is wrong.","content":{"application/problem\#
        +json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P403":{"description":"It has an Origin\#
        , so it comes from a web page.","content":{"application/problem+json":{"schema":{"$ref":"#/component\#
        s/schemas/Problem"}}}},"P404":{"description":"No such scope, or no such signal.","content":{"applica\#
        tion/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P408":{"description":"The d\#
        eadline came first.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/P\#
        roblem"}}}},"P409":{"description":"Not as wanted, or not on this server.","content":{"application/pr\#
        oblem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P413":{"description":"The body i\#
        s larger than 1 MiB.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/\#
        Problem"}}}},"P422":{"description":"The scenario has mistakes.","content":{"application/problem+json\#
        ":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P503":{"description":"No room for more.","co\#
        ntent":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}}},"schemas":{\#
        "Filter":{"type":"object","properties":{"method":{"type":"string","description":"As it was sent.","e\#
        xamples":["GET"]},"path":{"type":"string","description":"Without a query unless it has a ?; * is an\#
        y characters.","examples":["/users/*"]},"fields":{"type":"object","additionalProperties":{"type":"st\#
        ring"},"description":"Values by name of the field; * stands for any characters."}}},"Problem":{"type\#
        ":"object","description":"RFC 9457.","required":["type","title","status","detail"],"properties":{"ty\#
        pe":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string\#
        "},"findings":{"type":"array","items":{"type":"string"}}}},"Scope":{"type":"object","required":["nam\#
        e","requests","violations","underWay","consumed","frozen"],"properties":{"name":{"type":"string"},"r\#
        equests":{"type":"integer"},"violations":{"type":"integer"},"underWay":{"type":"boolean"},"consumed"\#
        :{"type":"boolean"},"frozen":{"type":"boolean"}}},"Verdict":{"type":"object","required":["fulfilled"\#
        ,"requests","violationCount","violations","unconsumed"],"properties":{"fulfilled":{"type":"boolean"}\#
        ,"requests":{"type":"integer"},"violationCount":{"type":"integer"},"violations":{"type":"array","ite\#
        ms":{"type":"string"}},"unconsumed":{"type":"array","items":{"type":"string"}}}},"Entry":{"type":"ob\#
        ject","description":"Secrets are hidden. Without a method it was no request.","required":["number","\#
        connection","exchange","method","target","host","bodyBytes","fields"],"properties":{"number":{"type"\#
        :"integer"},"connection":{"type":"integer"},"exchange":{"type":"integer"},"method":{"type":"string"}\#
        ,"target":{"type":"string"},"host":{"type":"string"},"conn":{"type":"string","description":"The labe\#
        l in the script."},"fields":{"type":"array","items":{"type":"object","required":["name","value"],"pr\#
        operties":{"name":{"type":"string"},"value":{"type":"string"}}}},"bodyBytes":{"type":"integer"},"bod\#
        y":{"type":"string","description":"Its beginning, where it is text."},"status":{"type":"integer"},"f\#
        aults":{"type":"array","items":{"type":"string"}},"violation":{"type":"string"}}},"Verification":{"t\#
        ype":"object","additionalProperties":false,"required":["requests"],"properties":{"requests":{"type":\#
        "array","maxItems":256,"items":{"allOf":[{"$ref":"#/components/schemas/Filter"}],"unevaluatedPropert\#
        ies":false,"properties":{"count":{"type":"integer","minimum":0,"maximum":1000000000},"atLeast":{"typ\#
        e":"integer","minimum":0,"maximum":1000000000,"default":1},"atMost":{"type":"integer","minimum":0,"m\#
        aximum":1000000000}}}},"ordered":{"type":"boolean","default":false,"description":"All of one item co\#
        me before all of the next."},"closed":{"type":"boolean","default":false,"description":"Requests tha\#
        t no item means are wrong."}}}}}}
        """#
}
