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
        ,"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$\#
        ref":"#/components/responses/P404"},"409":{"$ref":"#/components/responses/P409"},"413":{"$ref":"#/co\#
        mponents/responses/P413"},"422":{"$ref":"#/components/responses/P422"},"503":{"$ref":"#/components/r\#
        esponses/P503"}}}},"/reset":{"post":{"operationId":"reset","summary":"The script begins anew; what w\#
        as asked is forgotten.","parameters":[{"$ref":"#/components/parameters/scopes"}],"responses":{"204":\#
        {"description":"Done."},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/res\#
        ponses/P403"},"404":{"$ref":"#/components/responses/P404"},"503":{"$ref":"#/components/responses/P50\#
        3"}}}},"/verdict":{"get":{"operationId":"verdict","summary":"The verdict as if the server stopped no\#
        w.","parameters":[{"$ref":"#/components/parameters/scope"}],"responses":{"200":{"description":"It, w\#
        hatever it is.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Verdict"}}}},"\#
        400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$re\#
        f":"#/components/responses/P404"}}}},"/journal":{"get":{"operationId":"journal","summary":"What wa\#
        s asked in the present round, the newest of it.","parameters":[{"$ref":"#/components/parameters/scop\#
        e"},{"name":"method","in":"query","schema":{"type":"string"}},{"name":"path","in":"query","descripti\#
        on":"As in a filter.","schema":{"type":"string"}},{"name":"status","in":"query","schema":{"type":"in\#
        teger","minimum":100,"maximum":999}},{"name":"violations","in":"query","description":"Only request\#
        s that were violations, or only others.","schema":{"type":"boolean"}},{"name":"limit","in":"query","\#
        schema":{"type":"integer","minimum":1,"maximum":1000}},{"name":"after","in":"query","description":"O\#
        nly entries with a higher number, the first of them; without it the last of all.","schema":{"type":"\#
        integer","minimum":0,"maximum":1000000000}}],"responses":{"200":{"description":"Entries in the orde\#
        r in which they were read.","content":{"application/json":{"schema":{"type":"object","required":["co\#
        unt","entries"],"properties":{"count":{"type":"integer","minimum":0,"maximum":1000000000,"descriptio\#
        n":"How many there are, also those beyond the limit."},"entries":{"type":"array","items":{"$ref":"#/\#
        components/schemas/Entry"}}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/compo\#
        nents/responses/P403"},"404":{"$ref":"#/components/responses/P404"}}}},"/wait":{"post":{"operationId\#
        ":"wait","summary":"Waits until so many requests of a kind have come.","parameters":[{"$ref":"#/comp\#
        onents/parameters/scope"}],"requestBody":{"content":{"application/json":{"schema":{"allOf":[{"$ref":\#
        "#/components/schemas/Filter"}],"unevaluatedProperties":false,"properties":{"count":{"type":"integer\#
        ","minimum":1,"maximum":1000000,"description":"Those that came before in this round count.","default\#
        ":1},"timeout":{"type":"integer","minimum":0,"maximum":300000,"description":"In milliseconds.","defa\#
        ult":10000}}}}}},"responses":{"200":{"description":"The last of them.","content":{"application/json"\#
        :{"schema":{"type":"object","required":["connection","exchange","method","target"],"properties":{"co\#
        nnection":{"type":"integer"},"exchange":{"type":"integer"},"method":{"type":"string"},"target":{"typ\#
        e":"string"}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses\#
        /P403"},"408":{"$ref":"#/components/responses/P408"},"503":{"$ref":"#/components/responses/P503"}}}}\#
        ,"/verify":{"post":{"operationId":"verify","summary":"Whether it was asked what was wanted.","parame\#
        ters":[{"$ref":"#/components/parameters/scope"}],"requestBody":{"required":true,"content":{"applicat\#
        ion/json":{"schema":{"$ref":"#/components/schemas/Verification"}}}},"responses":{"200":{"description\#
        ":"It was.","content":{"application/json":{"schema":{"type":"object","properties":{"verified":{"cons\#
        t":true}}}}}},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P40\#
        3"},"404":{"$ref":"#/components/responses/P404"},"409":{"$ref":"#/components/responses/P409"}}}},"/s\#
        ignals/{name}":{"post":{"operationId":"signal","summary":"Lets answers go on that await this.","para\#
        meters":[{"name":"name","in":"path","required":true,"schema":{"type":"string"}},{"$ref":"#/component\#
        s/parameters/scopes"}],"responses":{"204":{"description":"Done."},"400":{"$ref":"#/components/respon\#
        ses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$ref":"#/components/responses/P404"}\#
        ,"503":{"$ref":"#/components/responses/P503"}}}},"/freeze":{"post":{"operationId":"freeze","summary"\#
        :"Nothing is answered until /let-go.","parameters":[{"$ref":"#/components/parameters/scopes"}],"resp\#
        onses":{"204":{"description":"Done."},"400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/\#
        components/responses/P403"},"404":{"$ref":"#/components/responses/P404"},"503":{"$ref":"#/components\#
        /responses/P503"}}}},"/let-go":{"post":{"operationId":"letGo","summary":"What was frozen goes on.","\#
        parameters":[{"$ref":"#/components/parameters/scopes"}],"responses":{"204":{"description":"Done."},"\#
        400":{"$ref":"#/components/responses/P400"},"403":{"$ref":"#/components/responses/P403"},"404":{"$re\#
        f":"#/components/responses/P404"},"503":{"$ref":"#/components/responses/P503"}}}}},"components":{"pa\#
        rameters":{"scope":{"name":"scope","in":"query","description":"The scope that it is about; without i\#
        t that of requests which name none.","schema":{"type":"string","pattern":"^[A-Za-z0-9._~-]{1,64}$"}}\#
        ,"scopes":{"name":"scope","in":"query","description":"The scope that it is about; without it all o\#
        f them.","schema":{"type":"string","pattern":"^[A-Za-z0-9._~-]{1,64}$"}}},"responses":{"P400":{"desc\#
        ription":"A parameter or the body is wrong.","content":{"application/problem+json":{"schema":{"$ref"\#
        :"#/components/schemas/Problem"}}}},"P403":{"description":"It has an Origin, so it comes from a we\#
        b page.","content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},\#
        "P404":{"description":"No such scope, or no such signal.","content":{"application/problem+json":{"sc\#
        hema":{"$ref":"#/components/schemas/Problem"}}}},"P408":{"description":"The deadline came first.","c\#
        ontent":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P409":{"de\#
        scription":"Not as wanted, or not on this server.","content":{"application/problem+json":{"schema":{\#
        "$ref":"#/components/schemas/Problem"}}}},"P413":{"description":"The body is larger than 1 MiB.","co\#
        ntent":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"P422":{"des\#
        cription":"The scenario has mistakes.","content":{"application/problem+json":{"schema":{"$ref":"#/co\#
        mponents/schemas/Problem"}}}},"P503":{"description":"No room for more.","content":{"application/prob\#
        lem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}}},"schemas":{"Filter":{"type":"object"\#
        ,"properties":{"method":{"type":"string","description":"As it was sent.","examples":["GET"]},"path":\#
        {"type":"string","description":"Without a query unless it has a ?; * is any characters.","examples":\#
        ["/users/*"]},"fields":{"type":"object","additionalProperties":{"type":"string"},"description":"Valu\#
        es by name of the field; * stands for any characters."}}},"Problem":{"type":"object","description":"\#
        RFC 9457.","required":["type","title","status","detail"],"properties":{"type":{"type":"string"},"tit\#
        le":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},"findings":{"type":"arr\#
        ay","items":{"type":"string"}}}},"Scope":{"type":"object","required":["name","requests","violations"\#
        ,"underWay","consumed","frozen"],"properties":{"name":{"type":"string"},"requests":{"type":"integer"\#
        },"violations":{"type":"integer"},"underWay":{"type":"boolean"},"consumed":{"type":"boolean"},"froze\#
        n":{"type":"boolean"}}},"Verdict":{"type":"object","required":["fulfilled","requests","violationCoun\#
        t","violations","unconsumed"],"properties":{"fulfilled":{"type":"boolean"},"requests":{"type":"integ\#
        er"},"violationCount":{"type":"integer"},"violations":{"type":"array","items":{"type":"string"}},"un\#
        consumed":{"type":"array","items":{"type":"string"}}}},"Entry":{"type":"object","description":"Secre\#
        ts are hidden. Without a method it was no request.","required":["number","connection","exchange","me\#
        thod","target","host","bodyBytes","fields"],"properties":{"number":{"type":"integer"},"connection":{\#
        "type":"integer"},"exchange":{"type":"integer"},"method":{"type":"string"},"target":{"type":"string"\#
        },"host":{"type":"string"},"conn":{"type":"string","description":"The label in the script."},"fields\#
        ":{"type":"array","items":{"type":"object","required":["name","value"],"properties":{"name":{"type":\#
        "string"},"value":{"type":"string"}}}},"bodyBytes":{"type":"integer"},"body":{"type":"string","descr\#
        iption":"Its beginning, where it is text."},"status":{"type":"integer"},"faults":{"type":"array","it\#
        ems":{"type":"string"}},"violation":{"type":"string"}}},"Verification":{"type":"object","additionalP\#
        roperties":false,"required":["requests"],"properties":{"requests":{"type":"array","maxItems":256,"it\#
        ems":{"allOf":[{"$ref":"#/components/schemas/Filter"}],"unevaluatedProperties":false,"properties":{"\#
        count":{"type":"integer","minimum":0,"maximum":1000000000},"atLeast":{"type":"integer","minimum":0,"\#
        maximum":1000000000,"default":1},"atMost":{"type":"integer","minimum":0,"maximum":1000000000}}}},"or\#
        dered":{"type":"boolean","default":false,"description":"All of one item come before all of the next.\#
        "},"closed":{"type":"boolean","default":false,"description":"Requests that no item means are wrong."\#
        }}}}}}
        """#
}
