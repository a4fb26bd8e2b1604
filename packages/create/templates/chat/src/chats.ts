import type { UIMessage } from 'ai'

/** A chat of the list. */
export interface Chat {
  id: string
  title: string
}

const addressOf = (id: string) => `/api/chat/${encodeURIComponent(id)}`

export const loadMessages = (id: string): Promise<UIMessage[]> => load(addressOf(id))
/** The chats on the server; none while it cannot be reached. */
export const loadList = (): Promise<Chat[]> => load<Chat[]>('/api/chat').catch(() => [])

/** Deletes a chat, and returns whether the server has it no more. */
export const deleteChat = async (id: string): Promise<boolean> => {
  const { ok, status } = await fetch(addressOf(id), { method: 'DELETE' })
  // It has no message, or another page has deleted it.
  return ok || status === 404
}

/** The list of the server, with the chat of the page, which may begin in this moment and not be in it yet. */
export const withOwn = (all: Chat[], own: Chat | undefined): Chat[] =>
  own && all.every(({ id }) => id !== own.id) ? [own, ...all] : all

async function load<T>(address: string): Promise<T> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return response.json()
}
