import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const { id = 'chat', user = 'ann', load = '', resume = '' } = Object.fromEntries(new URLSearchParams(location.search))
const headers = { 'x-user': user }

function Chat({ messages }) {
  const chat = useChat({
    id,
    messages,
    resume: resume !== '',
    transport: new DefaultChatTransport({ api: '/api/chat', headers }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    // What other tabs have said goes before the message of this one.
    onData: ({ type, data }) => {
      if (type !== 'data-chat-missed') return
      chat.setMessages((shown) => {
        const known = new Set(shown.map((message) => message.id))
        const at = shown.findLastIndex(({ role }) => role === 'user')
        return [...shown.slice(0, at), ...data.filter((message) => !known.has(message.id)), ...shown.slice(at)]
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
