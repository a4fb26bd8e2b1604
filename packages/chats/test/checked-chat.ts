/** An application for the checks of chats: a chat store, and an agent of the process or an engine. */
import type { FunctionCallingAgent } from '@x/agents'
import type { ChatStore } from '@x/core-model'
import { type DurableTasks, TasksAgent } from '@x/durable'
import { type ChatTurn, chatRoute, memoryChatStreams } from '../src/index.ts'
import { at, jsonLines, post } from './json-lines.ts'

interface Engine {
  tasks: DurableTasks
  /** Ends the process of its worker, and starts another one. */
  restart(): Promise<unknown>
}

/** @param engine - runs the tasks. @defaultValue the agent runs in the process of the route */
export function checkedChat(agent: () => FunctionCallingAgent, chatStore: ChatStore, engine?: Engine) {
  const user = (request: Request) => request.headers.get('x-user')
  const made = (engine ? new TasksAgent(engine.tasks) : agent()) as never
  const route = chatRoute({ agent: made, user, chatStore, streams: memoryChatStreams() }, jsonLines)
  return {
    chatStore,
    send: (turn: ChatTurn & { readonly id: string }) => route(post(turn)),
    stop: (id: string) => at(route, 'DELETE', id),
    restart: async () => {
      await engine?.restart()
      return checkedChat(agent, chatStore, engine)
    },
  }
}
