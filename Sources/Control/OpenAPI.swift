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
        n":"Its hosts must be the same. It can read no files.","parameters":[{"$ref":"#/components/parameter\#
        s/scopes"},{"name":"case","in":"query","description":"Which of its cases; the first without it.","sc\#
        hema":{"type":"string"}}],"requestBody":{"required":true,"content":{"application/yaml":{"schema":{"t\#
        ype":"string","description":"A scenario file."}}}},"responses":{"200":{"description":"It is played."\#
        ,"content":{"application/json":{"schema":{"type":"object","required":["scenario","diagnostics"],"pro\#
        perties":{"scenario":{"type":"string"},"diagnostics":{"type":"array","items":{"type":"string"}}}}}}}\#
        ,"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"409":{"$\#
        ref":"#/components/responses/P409"},"413":{"$ref":"#/components/responses/P413"},"422":{"$ref":"#/co\#
        mponents/responses/P422"},"503":{"$ref":"#/components/responses/P503"}}}},"/reset":{"post":{"operati\#
        onId":"reset","summary":"The script begins anew; what was asked is forgotten.","parameters":[{"$ref"\#
        :"#/components/parameters/scopes"}],"responses":{"204":{"description":"Done."},"400":{"$ref":"#/comp\#
        onents/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"503":{"$ref":"#/components/res\#
        ponses/P503"}}}},"/verdict":{"get":{"operationId":"verdict","summary":"The verdict as if the serve\#
        r stopped now.","parameters":[{"$ref":"#/components/parameters/scope"}],"responses":{"200":{"descrip\#
        tion":"It, whatever it is.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Ve\#
        rdict"}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"}\#
        ,"404":{"$ref":"#/components/responses/P404"}}}},"/journal":{"get":{"operationId":"journal","summary\#
        ":"What was asked in the present round, the newest of it.","parameters":[{"$ref":"#/components/param\#
        eters/scope"},{"name":"method","in":"query","schema":{"type":"string"}},{"name":"path","in":"query",\#
        "description":"As in a filter.","schema":{"type":"string"}},{"name":"status","in":"query","schema":{\#
        "type":"integer","minimum":100,"maximum":999}},{"name":"violations","in":"query","description":"Onl\#
        y requests that were violations, or only others.","schema":{"type":"boolean"}},{"name":"limit","in":\#
        "query","schema":{"type":"integer","minimum":1,"maximum":1000}},{"name":"after","in":"query","descri\#
        ption":"Only entries with a higher number.","schema":{"type":"integer","minimum":0,"maximum":1000000\#
        000}}],"responses":{"200":{"description":"Entries in the order in which they were read.","content":{\#
        "application/json":{"schema":{"type":"object","required":["count","entries"],"properties":{"count":{\#
        "type":"integer","minimum":0,"maximum":1000000000,"description":"How many there are, also those beyo\#
        nd the limit."},"entries":{"type":"array","items":{"$ref":"#/components/schemas/Entry"}}}}}}},"400":\#
        {"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$ref":"#\#
        /components/responses/P404"}}}},"/wait":{"post":{"operationId":"wait","summary":"Waits until so man\#
        y requests of a kind have come.","parameters":[{"$ref":"#/components/parameters/scope"}],"requestBod\#
        y":{"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Filter"}],"uneva\#
        luatedProperties":false,"properties":{"count":{"type":"integer","minimum":1,"maximum":1000000,"descr\#
        iption":"Those that came before in this round count.","default":1},"timeout":{"type":"integer","mini\#
        mum":0,"maximum":300000,"description":"In milliseconds.","default":10000}}}}}},"responses":{"200":{"\#
        description":"The last of them.","content":{"application/json":{"schema":{"type":"object","required"\#
        :["connection","exchange","method","target"],"properties":{"connection":{"type":"integer"},"exchange\#
        ":{"type":"integer"},"method":{"type":"string"},"target":{"type":"string"}}}}}},"400":{"$ref":"#/com\#
        ponents/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"408":{"$ref":"#/components/re\#
        sponses/P408"},"503":{"$ref":"#/components/responses/P503"}}}},"/verify":{"post":{"operationId":"ver\#
        ify","summary":"Whether it was asked what was wanted.","parameters":[{"$ref":"#/components/parameter\#
        s/scope"}],"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/compone\#
        nts/schemas/Verification"}}}},"responses":{"200":{"description":"It was.","content":{"application/js\#
        on":{"schema":{"type":"object","properties":{"verified":{"const":true}}}}}},"400":{"$ref":"#/compone\#
        nts/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$ref":"#/components/respon\#
        ses/P404"},"409":{"$ref":"#/components/responses/P409"}}}},"/signals/{name}":{"post":{"operationId":\#
        "signal","summary":"Lets answers go on that await this.","parameters":[{"name":"name","in":"path","r\#
        equired":true,"schema":{"type":"string"}},{"$ref":"#/components/parameters/scopes"}],"responses":{"2\#
        04":{"description":"Done."},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components\#
        /responses/P403"},"503":{"$ref":"#/components/responses/P503"}}}},"/freeze":{"post":{"operationId":"\#
        freeze","summary":"Nothing is answered until /let-go.","parameters":[{"$ref":"#/components/parameter\#
        s/scopes"}],"responses":{"204":{"description":"Done."},"400":{"$ref":"#/components/responses/P400"},\#
        "403":{"$ref":"#/components/responses/P403"},"503":{"$ref":"#/components/responses/P503"}}}},"/let-g\#
        o":{"post":{"operationId":"letGo","summary":"What was frozen goes on.","parameters":[{"$ref":"#/comp\#
        onents/parameters/scopes"}],"responses":{"204":{"description":"Done."},"400":{"$ref":"#/components/r\#
        esponses/P400"},"403":{"$ref":"#/components/responses/P403"},"503":{"$ref":"#/components/responses/P\#
        503"}}}}},"components":{"parameters":{"scope":{"name":"scope","in":"query","description":"The scop\#
        e that it is about; without it that of requests which name none.","schema":{"type":"string","pattern\#
        ":"^[A-Za-z0-9._~-]{1,64}$"}},"scopes":{"name":"scope","in":"query","description":"The scope that i\#
        t is about; without it all of them.","schema":{"type":"string","pattern":"^[A-Za-z0-9._~-]{1,64}$"}}\#
        },"responses":{"P400":{"description":"A parameter or the body is wrong.","content":{"application/pro\#
        blem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P403":{"description":"It has an Ori\#
        gin, so it comes from a web page.","content":{"application/problem+json":{"schema":{"$ref":"#/compon\#
        ents/schemas/Problem"}}}},"P404":{"description":"No such scope.","content":{"application/problem+jso\#
        n":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P408":{"description":"The deadline came fir\#
        st.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P40\#
        9":{"description":"Not as wanted, or not on this server.","content":{"application/problem+json":{"sc\#
        hema":{"$ref":"#/components/schemas/Problem"}}}},"P413":{"description":"The body is larger than 1 Mi\#
        B.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P422\#
        ":{"description":"The scenario has mistakes.","content":{"application/problem+json":{"schema":{"$ref\#
        ":"#/components/schemas/Problem"}}}},"P503":{"description":"No room for more.","content":{"applicati\#
        on/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}}},"schemas":{"Filter":{"type":"\#
        object","properties":{"method":{"type":"string","description":"As it was sent.","examples":["GET"]},\#
        "path":{"type":"string","description":"Without a query unless it has a ?; * is any characters.","exa\#
        mples":["/users/*"]},"fields":{"type":"object","additionalProperties":{"type":"string"},"description\#
        ":"Values by name of the field; * stands for any characters."}}},"Problem":{"type":"object","descrip\#
        tion":"RFC 9457.","required":["type","title","status","detail"],"properties":{"type":{"type":"string\#
        "},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},"findings":{"typ\#
        e":"array","items":{"type":"string"}}}},"Scope":{"type":"object","required":["name","requests","viol\#
        ations","underWay","consumed","frozen"],"properties":{"name":{"type":"string"},"requests":{"type":"i\#
        nteger"},"violations":{"type":"integer"},"underWay":{"type":"boolean"},"consumed":{"type":"boolean"}\#
        ,"frozen":{"type":"boolean"}}},"Verdict":{"type":"object","required":["fulfilled","requests","violat\#
        ionCount","violations","unconsumed"],"properties":{"fulfilled":{"type":"boolean"},"requests":{"type"\#
        :"integer"},"violationCount":{"type":"integer"},"violations":{"type":"array","items":{"type":"string\#
        "}},"unconsumed":{"type":"array","items":{"type":"string"}}}},"Entry":{"type":"object","description"\#
        :"Secrets are hidden. Without a method it was no request.","required":["number","connection","exchan\#
        ge","method","target","host","bodyBytes","fields"],"properties":{"number":{"type":"integer"},"connec\#
        tion":{"type":"integer"},"exchange":{"type":"integer"},"method":{"type":"string"},"target":{"type":"\#
        string"},"host":{"type":"string"},"conn":{"type":"string","description":"The label in the script."},\#
        "fields":{"type":"array","items":{"type":"object","required":["name","value"],"properties":{"name":{\#
        "type":"string"},"value":{"type":"string"}}}},"bodyBytes":{"type":"integer"},"body":{"type":"string"\#
        ,"description":"Its beginning, where it is text."},"status":{"type":"integer"},"faults":{"type":"arr\#
        ay","items":{"type":"string"}},"violation":{"type":"string"}}},"Verification":{"type":"object","addi\#
        tionalProperties":false,"required":["requests"],"properties":{"requests":{"type":"array","maxItems":\#
        256,"items":{"allOf":[{"$ref":"#/components/schemas/Filter"}],"unevaluatedProperties":false,"propert\#
        ies":{"count":{"type":"integer","minimum":0,"maximum":1000000000},"atLeast":{"type":"integer","minim\#
        um":0,"maximum":1000000000,"default":1},"atMost":{"type":"integer","minimum":0,"maximum":1000000000}\#
        }}},"ordered":{"type":"boolean","default":false,"description":"All of one item come before all of th\#
        e next."},"closed":{"type":"boolean","default":false,"description":"Requests that no item means ar\#
        e wrong."}}}}}}
        """#
}
