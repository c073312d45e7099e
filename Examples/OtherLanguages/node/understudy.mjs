// Serves a script of Understudy for a test of Node, and judges what the code under test did with it.
//
//     test("...", async (t) => {
//         const server = await serve(t, script)   // its text, or the path of its file; then options of `serve`
//         ... server.url, and with the option --admin server.control ...
//     })                                          // fails with what was not as the script has it
//
// Without `t`, `await server.finish()` ends it. Copy this file beside your tests. The command `understudy` must be in
// PATH, or UNDERSTUDY must name it.
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"

const running = new Set()
// Those of each test: Node leaves out what is to be done after it behind the first that fails.
const served = new WeakMap()
// A test that fails before `finish` does not wait for its server, nor leave it behind.
process.on("exit", () => running.forEach((server) => server.kill("SIGKILL")))

// In words, or as a line of `--log json`.
const listening = /^(?:listening on |\{"type":"listening","host":"(?!control")[^"]*","url":")([^"\s]+)/m
const controlled = /^(?:control on |\{"type":"listening","host":"control","url":")([^"\s]+)/m

export async function serve(...words) {
    const test = typeof words[0] === "string" ? undefined : words.shift()
    let [script, ...options] = words
    const folder = await mkdtemp(join(tmpdir(), "understudy-"))
    if (/\n|: /.test(script)) {
        const file = join(folder, "script.yaml")
        await writeFile(file, script)
        script = file
    }
    const command = process.env.UNDERSTUDY ?? "understudy"
    const server = spawn(command, ["serve", script, ...options], { stdio: ["ignore", "pipe", "pipe"] })
    running.add(server)
    const closed = once(server, "close")
    closed.catch(() => {}).finally(() => running.delete(server))
    const isControlled = options.some((option) => /^--admin(=|$)/.test(option))
    let said = ""
    const [url, control] = await new Promise((resolve, reject) => {
        const hear = (text) => {
            said += text
            const urls = [said.match(listening)?.[1], said.match(controlled)?.[1]]
            if (urls[0] && (urls[1] || !isControlled)) resolve(urls)
        }
        server.stdout.setEncoding("utf8").on("data", hear)
        server.stderr.setEncoding("utf8").on("data", hear)
        closed.then(() => reject(new Error(said)), reject)
    }).catch(async (error) => {
        await rm(folder, { recursive: true })
        throw error
    })
    const handles = [server, server.stdout, server.stderr]
    for (const handle of handles) handle.unref()
    let finished
    const end = async () => {
        for (const handle of handles) handle.ref()
        server.kill("SIGTERM")
        const [status] = await closed
        await rm(folder, { recursive: true })
        if (status === 0) return
        // The verdict first, and then what came before it.
        const bad = Math.max(said.lastIndexOf("NOT fulfilled"), said.lastIndexOf("ABANDONED"), 0)
        const start = said.lastIndexOf("\n", bad) + 1
        const text = said.slice(start) + said.slice(0, start)
        // Of a test that has failed itself Node tells that alone.
        if (test && test.passed !== true) for (const line of text.trim().split("\n")) test.diagnostic(line)
        throw new Error(text)
    }
    const finish = () => (finished ??= end())
    if (test && !served.has(test)) {
        served.set(test, [])
        test.after(async () => {
            const ends = await Promise.allSettled(served.get(test).map((finish) => finish()))
            const failures = ends.filter((end) => end.status === "rejected").map((end) => end.reason.message)
            if (failures.length > 0) throw new Error(failures.join("\n"))
        })
    }
    if (test) served.get(test).push(finish)
    return { url, control, finish }
}
