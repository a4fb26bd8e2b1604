import type { UIMessage } from 'ai'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { ChatPage } from './chat.tsx'
import { type Chat, deleteChat, loadList, loadMessages, withOwn } from './chats.ts'
import './style.css'
import './chat.css'
import { texts } from './texts.ts'

const idInAddress = () => location.hash.slice(2)

export function App() {
  const [chats, setChats] = useState<Chat[]>([])
  const [id, setId] = useState(() => idInAddress() || crypto.randomUUID())
  const [loaded, setLoaded] = useState<{ id: string; messages: UIMessage[] | Error }>()
  useEffect(() => {
    const follow = () => setId(idInAddress() || crypto.randomUUID())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    let isCurrent = true
    document.querySelector<HTMLElement>('.side:popover-open')?.hidePopover()
    const found = idInAddress() === id ? loadMessages(id) : Promise.resolve([])
    void found.catch((error: Error) => error).then((all) => isCurrent && setLoaded({ id, messages: all }))
    void loadList().then(
      (all) =>
        isCurrent &&
        setChats((own) =>
          withOwn(
            all,
            own.find((chat) => chat.id === id),
          ),
        ),
    )
    return () => void (isCurrent = false)
  }, [id])
  const begin = (title: string) => {
    history.replaceState(null, '', `#/${id}`)
    setChats((all) => (all.some((chat) => chat.id === id) ? all : [{ id, title }, ...all]))
  }
  // What was loaded for another chat is not shown in this one.
  const messages = loaded?.id === id ? loaded.messages : undefined
  const title = chats.find((chat) => chat.id === id)?.title
  const remove = async () => {
    if (!confirm('Delete this chat?') || !(await deleteChat(id))) return
    setChats((all) => all.filter((chat) => chat.id !== id))
    location.hash = '/'
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
          <h1>{title ?? 'New chat'}</h1>
          {title !== undefined && <Button onClick={remove}>Delete</Button>}
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
