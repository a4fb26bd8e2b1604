/** An application for the checks of chats: a chat store, and an agent of the process or an engine. */
import type { FunctionCallingAgent } from '@x/agents'
import type { ChatStore } from '@x/core-model'
import { type DurableTasks, TasksAgent } from '@x/durable'
import { type ChatTurn, chatRoute, memoryChatStreams } from '../src/index.ts'
import { at, jsonLines, post } from './json-lines.ts'

/** @param tasks - the engine. @defaultValue the agent runs in the process of the route */
export function checkedChat(agent: () => FunctionCallingAgent, chatStore: ChatStore, tasks?: DurableTasks) {
  const user = (request: Request) => request.headers.get('x-user')
  const made = (tasks ? new TasksAgent(tasks) : agent()) as never
  const route = chatRoute({ agent: made, user, chatStore, streams: memoryChatStreams() }, jsonLines)
  return {
    chatStore,
    send: (turn: ChatTurn & { readonly id: string }) => route(post(turn)),
    stop: (id: string) => at(route, 'DELETE', id),
    // The processes of an engine are ended by its own tests.
    restart: tasks ? undefined : () => checkedChat(agent, chatStore),
  }
}
