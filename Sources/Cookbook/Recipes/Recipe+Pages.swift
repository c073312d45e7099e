import HTTPBasics
import ServerScript

/// What a browser shows.
extension Recipe {
    static let pages: [Recipe] = [
        Recipe("/links/{n}", "Redirects to /links/{n}/0.", example: "-L /links/3") { call throws(CookbookMistake) in
            .bare(302, [("Location", "/links/\(try call.whole("n", 1...CookbookLimits.links))/0")])
        },
        Recipe("/links/{n}/{offset}", "A page with `n` links, all but this one to the others.", example: "/links/3/1") {
            call throws(CookbookMistake) in
            let count = try call.whole("n", 1...CookbookLimits.links)
            let own = try call.whole("offset", 0...Int(Int32.max))
            let links = (0..<count).map { $0 == own ? "\($0)" : "<a href='/links/\(count)/\($0)'>\($0)</a>" }
            return .html(HTMLText.page("Links", links.joined(separator: " ")))
        },
        Recipe("/forms/post", "A form that posts to /post.", differs: "another form") { _ in
            .html(HTMLText.page("A form", form))
        },
        Recipe(
            "/image", "An image of the kind that Accept names: PNG, SVG, JPEG, WebP or GIF.",
            example: "-H 'Accept: image/svg+xml' /image", differs: "images of ours, and GIF besides"
        ) { call in
            let wanted = call.fields.values("Accept").joined(separator: ",")
            let isOpen = wanted.isEmpty || wanted.contains("image/*") || wanted.contains("*/*")
            let images = CookbookImage.allCases
            let named = images.first { wanted.contains($0.type) }
            guard let image = named ?? (isOpen ? .png : nil) else {
                let all = images.map(\.type).joined(separator: ", ")
                return .plain("there is none of these kinds; there are: \(all)\n", status: 406)
            }
            return image.reply
        },
        Recipe("/image/{kind}", "`png`, `svg`, `jpeg`, `webp` or `gif`.", example: "-o square.png /image/png") {
            call throws(CookbookMistake) in
            guard let image = CookbookImage(rawValue: call["kind"]) else {
                throw CookbookMistake(
                    "kind: allowed: " + CookbookImage.allCases.map(\.rawValue).joined(separator: ", "))
            }
            return image.reply
        },
        Recipe("/favicon.ico", "A small image, for browsers.", example: "-o icon.png /favicon.ico") { _ in
            CookbookImage.png.reply
        },
    ]

    private static let form = """
        <form method="post" action="/post">
          <p><label>Name: <input name="custname"></label></p>
          <p><label>Telephone: <input type="tel" name="custtel"></label></p>
          <p><label>E-mail: <input type="email" name="custemail"></label></p>
          <fieldset>
            <legend>Size</legend>
            <label><input type="radio" name="size" value="small"> small</label>
            <label><input type="radio" name="size" value="large"> large</label>
          </fieldset>
          <fieldset>
            <legend>With</legend>
            <label><input type="checkbox" name="topping" value="cheese"> cheese</label>
            <label><input type="checkbox" name="topping" value="onion"> onion</label>
          </fieldset>
          <p><label>When: <input type="time" name="delivery"></label></p>
          <p><label>Remarks: <textarea name="comments"></textarea></label></p>
          <p><button>Send</button></p>
        </form>
        """
}

/// Eight by eight pixels, a chequered square.
enum CookbookImage: String, CaseIterable {
    case png, svg, jpeg, webp, gif

    var type: String { self == .svg ? "image/svg+xml" : "image/\(rawValue)" }

    var reply: Reply { .made(type, bytes) }

    var bytes: [UInt8] { self == .svg ? Array(CookbookImage.drawing.utf8) : Base64.decode(base64) ?? [] }

    private static let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2" width="8" height="8">
          <path fill="#fafafa" d="M0 0h2v2H0z"/><path fill="#2060a0" d="M1 0h1v1H1zM0 1h1v1H0z"/>
        </svg>

        """

    private var base64: String {
        switch self {
        case .png:
            "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX6+vogYKBxV7MgAAAAEklEQVR42mMwZmJgOMPEwAClAQ/aAgeh"
                + "2aGTAAAAAElFTkSuQmCC"
        case .jpeg:
            "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKB"
                + "TmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8"
                + "fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAbEAACAQUAAAAAAAAAAAAAAAAAEhQz"
                + "ZIKhsv/EABQBAQAAAAAAAAAAAAAAAAAAAAP/xAAYEQADAQEAAAAAAAAAAAAAAAAAAQIREv/aAAwDAQACEQMRAD8AoVrmRhLXhdgA"
                + "aqcvEFM9H//Z"
        case .webp: "UklGRiQAAABXRUJQVlA4TBgAAAAvB8ABAA9wM/2b6N9Uf/7jAZ9hjuh/zAA="
        case .gif: "R0lGODdhCAAIAIEAAPr6+iBgoAAAAAAAACwAAAAACAAIAAAIGwABAAgQQCBBgwUHEkx4UCFCgQ8dSlzIsGLEgAA7"
        case .svg: ""
        }
    }
}
