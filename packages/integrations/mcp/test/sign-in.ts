import {
  type Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

/** What is stored for one user at one server. It contains secrets: encrypt it, and never send it to a browser. */
interface SignInData {
  client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  discovery?: OAuthDiscoveryState | undefined
  verifier?: string
  state?: string
}

/** The sign-in of one user at one server. The SDK registers the program, exchanges the code, and renews the tokens. */
class SignIn implements OAuthClientProvider {
  /** The address at which the user signs in, if the server wants it. */
  address: URL | undefined
  readonly redirectUrl: string
  private readonly data: SignInData
  private readonly save: (data: SignInData) => Promise<void>

  constructor(redirectUrl: string, data: SignInData, save: (data: SignInData) => Promise<void>) {
    this.redirectUrl = redirectUrl
    this.data = data
    this.save = save
  }

  get clientMetadata() {
    return { client_name: 'My program', redirect_uris: [this.redirectUrl] }
  }

  /** Protects against addresses that somebody else sends to the user. */
  async state() {
    const state = crypto.randomUUID()
    await this.keep({ state })
    return state
  }

  /** Whether the user comes back from the address that this sign-in has opened. */
  isExpected(callback: URL): boolean {
    return this.data.state !== undefined && callback.searchParams.get('state') === this.data.state
  }

  redirectToAuthorization(address: URL) {
    this.address = address
  }

  clientInformation = () => this.data.client
  saveClientInformation = (client: SignInData['client']) => this.keep({ client })
  tokens = () => this.data.tokens
  // The sign-in is over. The next one asks the server again where to sign in.
  saveTokens = (tokens: SignInData['tokens']) => this.keep({ tokens, discovery: undefined })
  codeVerifier = () => this.data.verifier ?? ''
  saveCodeVerifier = (verifier: string) => this.keep({ verifier })
  discoveryState = () => this.data.discovery
  saveDiscoveryState = (discovery: OAuthDiscoveryState) => this.keep({ discovery })

  /** Forgets what the server no longer accepts. */
  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    const all = ['client', 'tokens', 'verifier', 'discovery'] as const
    for (const name of all) if (scope === 'all' || scope === name) delete this.data[name]
    await this.keep({})
  }

  private async keep(change: SignInData) {
    await this.save(Object.assign(this.data, change))
  }
}

/** Connects a client. Returns false if the user must first visit `signIn.address`. */
async function connect(client: Client, server: URL, signIn: SignIn): Promise<boolean> {
  try {
    await client.connect(new StreamableHTTPClientTransport(server, { authProvider: signIn }))
    return true
  } catch (error) {
    if (!UnauthorizedError.isInstance(error)) throw error
    return false
  }
}

/** Continues when the user has come back to `redirectUrl`, also in another process. */
async function finishSignIn(server: URL, signIn: SignIn, callback: URL): Promise<void> {
  if (!signIn.isExpected(callback)) throw new Error('This address does not belong to the sign-in.')
  await new StreamableHTTPClientTransport(server, { authProvider: signIn }).finishAuth(callback.searchParams)
}

export { connect, finishSignIn, SignIn, type SignInData }
