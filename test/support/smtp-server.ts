import { createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'

export interface ReceivedMail {
  from: string
  to: string[]
  /** headers and body as sent */
  data: string
  isEncrypted: boolean
  user: string | null
}

/** A server's reaction to a command: an answer, `hang` until `release`, or `close` the connection. */
type Reaction = string | 'hang' | 'close'

interface Options {
  /** a certificate; without one, the server offers no STARTTLS */
  tls?: { key: string; cert: string }
  /** true for a server whose connections are encrypted from the start */
  secure?: boolean
}

class Session {
  #mail: ReceivedMail = { from: '', to: [], data: '', isEncrypted: false, user: null }
  #line = ''
  #isData = false

  constructor(
    private socket: Socket,
    private readonly server: SmtpServer,
    private isEncrypted: boolean,
  ) {
    this.#listen()
    this.#answer('greeting', '220 mail.test ready')
  }

  #listen(): void {
    this.socket.on('error', () => {})
    this.socket.on('data', (bytes: Buffer) => this.#read(bytes.toString()))
  }

  #answer(command: string, usual: string): boolean {
    const reaction = this.server.reactions[command] ?? usual
    if (reaction === 'close') this.socket.destroy()
    else if (reaction === 'hang') this.server.held.push(() => this.socket.write(`${usual}\r\n`))
    else this.socket.write(`${reaction}\r\n`)
    return reaction === usual
  }

  #read(text: string): void {
    this.#line += text
    if (this.#isData) {
      const end = this.#line.indexOf('\r\n.\r\n')
      if (end < 0) return
      this.#mail.data = this.#line.slice(0, end)
      this.#line = this.#line.slice(end + 5)
      this.#isData = false
      const mail = { ...this.#mail, isEncrypted: this.isEncrypted }
      if (this.#answer('data', '250 accepted')) this.server.received.push(mail)
      return
    }
    for (let end = this.#line.indexOf('\r\n'); end >= 0 && !this.#isData; end = this.#line.indexOf('\r\n')) {
      const command = this.#line.slice(0, end)
      this.#line = this.#line.slice(end + 2)
      this.#run(command)
    }
  }

  #run(command: string): void {
    const verb = command.split(' ')[0]?.toUpperCase() ?? ''
    const run = this.#commands[verb]
    if (run) run(command)
    else this.#answer('other', '250 ok')
  }

  readonly #commands: Record<string, (command: string) => void> = {
    EHLO: () => {
      const offersTls = this.server.options.tls && !this.isEncrypted
      this.#answer('ehlo', `250-mail.test\r\n${offersTls ? '250-STARTTLS\r\n' : ''}250 AUTH PLAIN`)
    },
    STARTTLS: () => this.#startTls(),
    AUTH: command => {
      const plain = Buffer.from(command.split(' ')[2] ?? '', 'base64').toString()
      this.#mail.user = plain.split('\0')[1] ?? null
      this.#answer('auth', plain.endsWith(`\0${this.server.password}`) ? '235 ok' : '535 wrong password')
    },
    MAIL: command => {
      this.#mail.from = command
      this.#answer('mail', '250 ok')
    },
    RCPT: command => {
      this.#mail.to.push(/<(.*)>/.exec(command)?.[1] ?? '')
      this.#answer('rcpt', '250 ok')
    },
    DATA: () => {
      this.#isData = true
      this.#answer('start', '354 go on')
    },
    QUIT: () => {
      this.#answer('quit', '221 bye')
      this.socket.end()
    },
  }

  #startTls(): void {
    this.socket.write('220 go on\r\n')
    this.socket.removeAllListeners('data')
    const { tls } = this.server.options
    this.socket = new TLSSocket(this.socket, { isServer: true, secureContext: createSecureContext(tls!) })
    this.isEncrypted = true
    this.#listen()
  }
}

/** An SMTP server on this machine that fails at the steps that a test chooses. */
export class SmtpServer {
  readonly received: ReceivedMail[] = []
  reactions: Record<string, Reaction> = {}
  /** answers that hang until `release` */
  readonly held: (() => void)[] = []
  password = 'secret'
  connections = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(readonly options: Options) {
    this.#server = createServer(socket => {
      this.connections++
      this.#sockets.add(socket)
      socket.on('error', () => {})
      if (!options.secure) return void new Session(socket, this, false)
      const context = createSecureContext(options.tls!)
      return void new Session(new TLSSocket(socket, { isServer: true, secureContext: context }), this, true)
    })
  }

  static async start(options: Options = {}): Promise<SmtpServer> {
    const server = new SmtpServer(options)
    await new Promise<void>(resolve => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  /** Sends the answers that hang. */
  release(): void {
    for (const answer of this.held.splice(0)) answer()
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }
}
