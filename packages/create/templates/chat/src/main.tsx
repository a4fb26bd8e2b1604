import type { UIMessage } from 'ai'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
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

function App() {
  const [chats, setChats] = useState<Chat[]>(() => JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  const [id, setId] = useState(() => idInAddress() || crypto.randomUUID())
  const [messages, setMessages] = useState<UIMessage[]>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => localStorage.setItem(KEY, JSON.stringify(chats)), [chats])
  useEffect(() => {
    const follow = () => setId(idInAddress() || crypto.randomUUID())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    let isCurrent = true
    setMessages(undefined)
    setProblem(undefined)
    document.querySelector<HTMLElement>('.side:popover-open')?.hidePopover()
    load(id).then(
      (found) => isCurrent && setMessages(found),
      (error) => isCurrent && setProblem(`The chat cannot be loaded: ${error.message}.`),
    )
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
          <button type="button" className="icon menu" aria-label="Chats" popoverTarget="chats">
            ☰
          </button>
          <h1>{chats.find((chat) => chat.id === id)?.title ?? 'New chat'}</h1>
        </header>
        {problem && (
          <main>
            <p className="error" role="alert">
              {problem}
            </p>
          </main>
        )}
        {messages && <ChatPage key={id} id={id} messages={messages} onBegin={begin} />}
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

createRoot(document.getElementById('root')!).render(<App />)
