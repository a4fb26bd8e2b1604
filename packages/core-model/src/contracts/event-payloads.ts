import type { ChatMessage } from '../messages/chat-message.ts'
import type { ChatResponse, CompletionResponse } from '../messages/responses.ts'
import type { NodeWithScore } from '../nodes/node-with-score.ts'
import type { ToolDescription } from './tool.ts'

/**
 * The payloads of the kinds of events that models and agents emit, at the start and at the end of an event that did not fail. A failed
 * event ends with `{ exception }` or null. Other components add their own keys.
 * @example
 * const names: string[] = []
 * const handler = {
 *   onEventStart(type: EventType, payload: EventPayload | null) {
 *     if (type === 'llm') names.push((payload as EventPayloads['llm']['start']).serialized.model)
 *   },
 * }
 * const payload = { additional_kwargs: {}, serialized: { model: 'scripted', provider: null } }
 * await new CallbackManager([handler]).event('llm', payload, async () => 'Hi.')
 * names // => ['scripted']
 */
export interface EventPayloads {
  /** One call of a model. */
  llm: {
    start: {
      /** The messages of a chat. */
      messages?: readonly ChatMessage[]
      /** The prompt of a completion. */
      formatted_prompt?: string
      /** The options of the call, without signal and headers. */
      additional_kwargs: Readonly<Record<string, unknown>>
      /** Model and provider by name, the server's `endpoint` (`address` and `port`) if it is known, and the JSON of the model. */
      serialized: { model: string; provider: string | null; [field: string]: unknown }
    }
    end: {
      messages?: readonly ChatMessage[]
      /** The answer; of a stream, the last piece, or null if no piece arrived. */
      response?: ChatResponse | null
      formatted_prompt?: string
      completion?: CompletionResponse | null
    }
  }
  /** One call of a tool. */
  function_call: {
    start: {
      /** The arguments: an object, or the text of the model. */
      function_call: Readonly<Record<string, unknown>> | string
      /** The tool; absent if no tool has that name. */
      tool?: ToolDescription
      /** The task and the step that the call belongs to; absent outside a task. */
      task_id?: string
      step_id?: string
      /** The id of the call, unique in its task. */
      call_id?: string
    }
    end: {
      /** The output for the model. */
      function_call_response: string
      /** Whether the output is a failure. */
      is_error?: boolean
    }
  }
  /** One chat with an agent. Ends when the answer, including its stream, is complete. */
  agent_step: {
    start: {
      messages: readonly unknown[]
      task_id?: string
      /** The id of the conversation, if it is in a chat store. */
      conversation_id?: string
    }
    end: { response: unknown }
  }
  /** One step of a task, in a run or on its own. */
  task_step: {
    start: { task_id: string; step_id: string; input: string | null }
    end: { output: string; is_last: boolean }
  }
  /** A search. */
  retrieve: {
    start: { query_str: string }
    end: { nodes: readonly NodeWithScore[] }
  }
  /** The embedding of strings. */
  embedding: {
    /** The JSON of the model, with its `provider` and the server's `endpoint` (`address` and `port`) if they are known. */
    start: { serialized: Readonly<Record<string, unknown>> }
    end: {
      chunks: readonly string[]
      embeddings: readonly (readonly number[])[]
      /** The tokens of the request, if the provider reports them. */
      input_tokens?: number
    }
  }
  /** A query, such as the run of a pipeline. */
  query: {
    start: { query_str: string }
    end: null
  }
}
