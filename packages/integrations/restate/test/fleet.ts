/** Several worker processes behind one address. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { oneFile } from '../../../../tools/one-file.ts'

/** A TCP proxy: each connection goes to the next worker that accepts one. */
class Balancer {
  private next = 0
  private readonly server: Server
  private readonly ports: number[] = []
  private readonly sockets = new Set<Socket>()

  constructor() {
    // The proxy must not hold small frames back until earlier ones are acknowledged: that takes up to 40 ms.
    this.server = createServer({ noDelay: true }, (socket) => this.accept(socket))
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  add(port: number): void {
    if (!this.ports.includes(port)) this.ports.push(port)
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
  }

  private accept(socket: Socket): void {
    this.track(socket)
    const start = this.next++
    const candidates = this.ports.map((_, i) => this.ports[(start + i) % this.ports.length]!)
    this.forward(socket, candidates)
  }

  private forward(socket: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) {
      socket.destroy()
      return
    }
    const worker = connect({ port, host: '127.0.0.1', noDelay: true })
    const isDead = () => this.forward(socket, others)
    worker.once('error', isDead)
    worker.once('connect', () => {
      worker.off('error', isDead)
      this.track(worker)
      socket.pipe(worker).pipe(socket)
      socket.on('close', () => worker.destroy())
      worker.on('close', () => socket.destroy())
    })
  }

  private track(socket: Socket): void {
    this.sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.sockets.delete(socket))
  }
}

/** A worker process. */
interface Worker {
  child: ChildProcess
  port: number
}

/** Worker processes of one program, behind a {@link Balancer}. */
export class Fleet {
  readonly workers = new Map<number, Worker>()
  kills = 0
  readonly balancer = new Balancer()
  private readonly program: string
  private bundled?: Promise<string>

  /** @param program - a program that prints the port of its endpoint. */
  constructor(program: string) {
    this.program = program
  }

  /** The address of the workers. */
  get uri(): string {
    return `http://127.0.0.1:${this.balancer.port}`
  }

  /** Starts a worker, and waits until it is ready. It must end when its standard input ends, so that it does not outlive this process. */
  async start(index: number, args: readonly string[], port = 0): Promise<void> {
    this.bundled ??= oneFile(this.program)
    const child = spawn(process.execPath, [await this.bundled, String(port), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, RESTATE_LOGGING: 'ERROR' },
    })
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`${this.program} ended with ${code} before it was ready.`)
    })
    const [line] = await Promise.race([once(child.stdout, 'data'), failed])
    failed.catch(() => {})
    const ready = Number(String(line).trim())
    this.workers.set(index, { child, port: ready })
    this.balancer.add(ready)
  }

  /** Kills a worker. */
  async kill(index: number): Promise<void> {
    const { child } = this.workers.get(index)!
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    this.kills++
  }

  /** Starts a worker again, at its address. */
  restart(index: number, args: readonly string[]): Promise<void> {
    return this.start(index, args, this.workers.get(index)!.port)
  }

  stop(): void {
    for (const { child } of this.workers.values()) child.kill('SIGKILL')
    this.balancer.close()
  }
}
