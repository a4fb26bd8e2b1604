import type { useChat } from '@ai-sdk/react'
import type { UIMessage } from 'ai'
import { useEffect } from 'react'
import { loadMessages } from './chats.ts'
import { refusalOf } from './parts.ts'

/**
 * Loads the messages again after a refusal, when the page is looked at (another tab may have decided, stopped or continued an answer), and when
 * a question has no answer: it may have ended just before the page asked for it.
 */
export function useReload({ id, status, error, setMessages, resumeStream }: ReturnType<typeof useChat>) {
  const isBusy = status === 'submitted' || status === 'streaming'
  const isRefused = error !== undefined && refusalOf(error) !== undefined
  useEffect(() => {
    const last = () => {
      const seen: UIMessage[] = []
      setMessages((shown) => {
        seen.push(...shown.slice(-1))
        return shown
      })
      return seen[0]
    }
    const reload = async () => {
      const before = last()
      if (!before) return
      const stored = await loadMessages(id)
      // The user may have decided or asked in the meantime.
      if (last() !== before) return
      const isAnswered = stored.at(-1)?.role === 'assistant' && stored.some((message) => message.id === before.id)
      if (before.role === 'user' && !isAnswered) return
      setMessages(stored)
      if (stored.at(-1)?.role === 'user') await resumeStream()
    }
    const look = () => void reload().catch(() => {})
    if (isRefused || (status === 'ready' && last()?.role === 'user')) look()
    if (!isBusy) addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [id, status, isBusy, isRefused, setMessages, resumeStream])
}
