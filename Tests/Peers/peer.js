// Node's side of tls.sh, with the words and lines of peer.py.
const [, , command, ...words] = process.argv;
const crypto = require("crypto"), fs = require("fs"), https = require("https");

const secured = (socket) => `${socket.getProtocol()} ${socket.isSessionReused() ? "r" : "."}`;
const limit = (version) => ({ minVersion: `TLSv${version}`, maxVersion: `TLSv${version}` });
const identity = (certificate, key) => ({ cert: fs.readFileSync(certificate), key: fs.readFileSync(key) });

function serve(port, certificate, key, version) {
    const piece = Buffer.alloc(1 << 20, "a");
    https.createServer({ ...identity(certificate, key), ...limit(version) }, (request, response) => {
        console.log(secured(request.socket));
        const length = request.url === "/300m" ? 300 << 20 : 100;
        let left = length;
        const go = () => {
            while (left > 0) {
                const next = piece.subarray(0, Math.min(left, piece.length));
                left -= next.length;
                if (!response.write(next)) return response.once("drain", go);
            }
            response.end();
        };
        request.resume().on("end", () => {
            const close = request.url === "/close" ? { Connection: "close" } : {};
            response.writeHead(200, { "Content-Length": length, ...close });
            go();
        });
    }).listen(Number(port), "127.0.0.1");
}

function get(url, options) {
    return new Promise((resolve) => {
        https.get(url, options, (response) => {
            const hash = crypto.createHash("sha256");
            const how = secured(response.socket);
            let length = 0;
            response.on("data", (data) => { length += data.length; hash.update(data); });
            response.on("error", (error) => resolve(`refused ${error.message}`));
            response.on("end", () => resolve(`${response.statusCode} ${length} ${hash.digest("hex")} ${how}`));
        }).on("error", (error) => resolve(`refused ${error.code} ${error.message}`));
    });
}

async function getAll(authority, version, certificate, key, ...urls) {
    const options = { ca: fs.readFileSync(authority), ...limit(version), timeout: 10000 };
    if (certificate !== "-") Object.assign(options, identity(certificate, key));
    for (const url of urls) console.log(await get(url, options));
    process.exit(0);
}

({ serve, get: getAll })[command](...words);
