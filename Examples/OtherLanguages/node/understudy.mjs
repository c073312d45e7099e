// Serves a script of Understudy for a test of Node, and judges what the code under test did with it.
//
//     const server = await serve(script)          // its text, or the path of its file
//     ... server.url ...
//     await server.finish()                       // throws what was not as the script has it
//
// Copy this file beside your tests. The command `understudy` must be in PATH, or UNDERSTUDY must name it.
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"

export async function serve(script, ...options) {
    const folder = await mkdtemp(join(tmpdir(), "understudy-"))
    if (script.includes("\n")) {
        const file = join(folder, "script.yaml")
        await writeFile(file, script)
        script = file
    }
    const command = process.env.UNDERSTUDY ?? "understudy"
    const server = spawn(command, ["serve", script, ...options], { stdio: ["ignore", "pipe", "pipe"] })
    const closed = once(server, "close")
    // A test that fails before `finish` does not wait for the server, nor leave it behind.
    process.on("exit", () => server.kill("SIGKILL"))
    let said = ""
    const url = await new Promise((resolve, reject) => {
        const hear = (text) => {
            said += text
            const found = said.match(/^listening on (\S+)$/m)
            if (found) resolve(found[1])
        }
        server.stdout.setEncoding("utf8").on("data", hear)
        server.stderr.setEncoding("utf8").on("data", hear)
        closed.then(() => reject(new Error(said)), reject)
    })
    const handles = [server, server.stdout, server.stderr]
    for (const handle of handles) handle.unref()
    return {
        url,
        async finish() {
            for (const handle of handles) handle.ref()
            server.kill("SIGTERM")
            const [status] = await closed
            await rm(folder, { recursive: true })
            if (status !== 0) throw new Error(said)
        },
    }
}
