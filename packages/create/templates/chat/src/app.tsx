import type { UIMessage } from 'ai'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { ChatPage } from './chat.tsx'
import './style.css'
import './chat.css'
import { texts } from './texts.ts'

interface Chat {
  id: string
  title: string
}

/** The list of chats is in this browser, the messages are on the server. */
const KEY = 'chats'
const idInAddress = () => location.hash.slice(2)

export function App() {
  const [chats, setChats] = useState<Chat[]>(() => JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  const [id, setId] = useState(() => idInAddress() || crypto.randomUUID())
  const [messages, setMessages] = useState<UIMessage[] | Error>()
  useEffect(() => localStorage.setItem(KEY, JSON.stringify(chats)), [chats])
  useEffect(() => {
    const follow = () => setId(idInAddress() || crypto.randomUUID())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    let isCurrent = true
    setMessages(undefined)
    document.querySelector<HTMLElement>('.side:popover-open')?.hidePopover()
    const found = load(id).catch((error: Error) => error)
    void found.then((all) => isCurrent && setMessages(all))
    return () => void (isCurrent = false)
  }, [id])
  const begin = (title: string) => {
    history.replaceState(null, '', `#/${id}`)
    setChats((all) => (all.some((chat) => chat.id === id) ? all : [{ id, title }, ...all]))
  }
  return (
    <div className="app">
      <aside id="chats" className="side" aria-label="Chats" popover="auto">
        <a className="brand" href="#/">
          <span className="mark" aria-hidden="true" />
          {texts.name}
        </a>
        <a className="button new" href="#/">
          New chat
        </a>
        <nav aria-label="Earlier chats">
          {chats.map((chat) => (
            <a key={chat.id} href={`#/${chat.id}`} aria-current={chat.id === id ? 'page' : undefined}>
              {chat.title}
            </a>
          ))}
        </nav>
      </aside>
      <div className="main">
        <header>
          <Button className="icon menu" aria-label="Chats" popoverTarget="chats">
            ☰
          </Button>
          <h1>{chats.find((chat) => chat.id === id)?.title ?? 'New chat'}</h1>
        </header>
        {Array.isArray(messages) && <ChatPage key={id} id={id} messages={messages} onBegin={begin} />}
        {messages instanceof Error && (
          <main>
            <p role="alert">The chat cannot be loaded: {messages.message}.</p>
          </main>
        )}
      </div>
    </div>
  )
}

/** The messages of a chat whose address is shown; a new chat has none. */
async function load(id: string): Promise<UIMessage[]> {
  if (idInAddress() !== id) return []
  const response = await fetch(`/api/chat/${encodeURIComponent(id)}`)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return response.json()
}
