/** The worker: sends each request of the page to the Durable Object of its user. The files of the page need no worker. */
export { UserChats } from './chat.ts'

interface Environment {
  /** The names of this server, separated by spaces. Another name that leads to it is refused, so that no other site can use its user's browser. */
  HOSTS: string
  CHATS: { getByName(name: string): { fetch(request: Request): Promise<Response> } }
}

// One user. Return the user of your session here; null refuses the request.
const userOf = (_request: Request): string | null => 'me'

export default {
  async fetch(request: Request, { CHATS, HOSTS }: Environment): Promise<Response> {
    const { pathname, hostname } = new URL(request.url)
    if (!HOSTS.split(' ').includes(hostname)) return new Response(`${hostname} is not in HOSTS.`, { status: 403 })
    if (pathname !== '/api/chat' && !pathname.startsWith('/api/chat/'))
      return new Response('Not found', { status: 404 })
    const user = userOf(request)
    if (user === null) return new Response('Sign in first.', { status: 401 })
    return CHATS.getByName(user).fetch(request)
  },
}
