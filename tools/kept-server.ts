import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** A server that ends with the process that started it. */
interface KeptServer {
  /** The first line that its keeper printed. */
  line: string
  /** Kills the server, starts it again with its data at its address, and returns the line that its keeper printed. */
  restart(): Promise<string>
  /** Stops the server and deletes its data. */
  stop(): Promise<void>
}

/**
 * Starts a keeper: a program that runs a server, prints one line when the server is ready, and stops it when its own standard input ends.
 * A line of its input restarts the server.
 * That happens however this process ends.
 * @param keeper - the name of the program, beside this file.
 * @param args - the arguments of the program.
 */
export async function startKept(keeper: string, args: readonly string[] = []): Promise<KeptServer> {
  const program = fileURLToPath(new URL(keeper, import.meta.url))
  // A group of its own: Ctrl-C in a terminal reaches this process, whose end the keeper notices.
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const closed = once(child, 'close')
  const errors = text(child.stderr)
  const lines = createInterface(child.stdout)
  const nextLine = () => Promise.race([once(lines, 'line').then(([line]) => String(line)), failed])
  const failed = closed.then(async () => {
    throw new Error(`${keeper}: the server did not start.\n${await errors}`)
  })
  failed.catch(() => {})
  const line = await nextLine()
  // The server must not keep the process that uses it alive.
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref()
  return {
    line,
    restart: async () => {
      child.ref()
      child.stdin.write('restart\n')
      const line = await nextLine()
      child.unref()
      return line
    },
    stop: async () => {
      child.ref()
      child.stdin.end()
      await closed
    },
  }
}
