import { useChat } from '@ai-sdk/react'
import * as ai from 'ai'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const { id = 'chat', user = 'ann', load = '', resume = '' } = Object.fromEntries(new URLSearchParams(location.search))
const headers = { 'x-user': user }
// Version 5 has no approvals.
const { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses: isDecided } = ai

function Chat({ messages }) {
  const chat = useChat({
    id,
    messages,
    resume: resume !== '',
    transport: new DefaultChatTransport({ api: '/api/chat', headers }),
    ...(isDecided && { sendAutomaticallyWhen: isDecided }),
    // What other tabs have said goes before the message of this one, or behind the answer to an earlier message.
    onData: ({ type, data }) => {
      const without = (some, others) => some.filter(({ id }) => !others.some((one) => one.id === id))
      chat.setMessages((shown) => {
        const at = shown.findLastIndex(({ role }) => role === 'user')
        if (type === 'data-chat-question') return [...shown, ...without(data, shown)]
        if (type === 'data-chat-missed') return shown.toSpliced(at, 0, ...without(data, shown))
        return type === 'data-chat-later' ? [...without(shown, data), ...data] : shown
      })
    },
  })
  window.chat = chat
  return createElement('pre', null, JSON.stringify(chat.messages, null, 1))
}

window.get = (path) => fetch(`${path}/${id}`, { headers }).then((response) => response.json())
window.cancel = () => fetch(`/api/chat/${id}/stream`, { method: 'DELETE', headers }).then(({ status }) => status)
const messages = load === '' ? [] : await window.get('/ui')
createRoot(document.getElementById('root')).render(createElement(Chat, { messages }))
