import type { useChat } from '@ai-sdk/react'
import type { UIMessage } from 'ai'
import { useEffect } from 'react'
import { loadMessages } from './chats.ts'
import { refusalOf } from './parts.ts'

/** Loads the messages again after a refusal, and when the page is looked at: another tab may have decided, stopped or continued an answer. */
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
      if (before?.role !== 'assistant') return
      const stored = await loadMessages(id)
      // The user may have decided or asked in the meantime.
      if (last() !== before) return
      setMessages(stored)
      if (stored.at(-1)?.role === 'user') await resumeStream()
    }
    const look = () => void reload().catch(() => {})
    if (isRefused) look()
    if (!isBusy) addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [id, isBusy, isRefused, setMessages, resumeStream])
}
