/**
 * @module
 * A server with the OpenAI interface for a small language model on transformers.js, like llama.cpp or Ollama for larger ones.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import {
  AutoModelForCausalLM,
  AutoTokenizer,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  TextStreamer,
} from '@huggingface/transformers'

interface ChatRequest {
  messages: { role: string; content: string }[]
  stream?: boolean
}

/** Answers `POST /chat/completions`, whole and streamed, with text and tool calls. */
export class LanguageModelServer {
  /** The number of requests to the model. */
  requests = 0
  private readonly http: Server
  private readonly tokenizer: PreTrainedTokenizer
  private readonly model: PreTrainedModel

  private constructor(tokenizer: PreTrainedTokenizer, model: PreTrainedModel) {
    this.tokenizer = tokenizer
    this.model = model
    this.http = createServer(async (request, response) => {
      this.requests += 1
      const { messages, stream = false } = (await json(request)) as ChatRequest
      const send = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`)
      const chunk = (delta: object, finish_reason: string | null = null) =>
        send({ choices: [{ index: 0, delta, finish_reason }] })
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
      let sent = ''
      const { text, usage } = await this.generate(messages, (piece) => {
        sent += piece
        if (stream && !sent.startsWith('<tool_call>')) chunk({ content: piece })
      })
      const call = readCall(text)
      const finish = call ? 'tool_calls' : 'stop'
      if (!stream) {
        const message = { role: 'assistant', content: call ? null : text, ...(call && { tool_calls: [call] }) }
        return response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish }], usage }))
      }
      if (call) chunk({ tool_calls: [{ index: 0, ...call }] })
      chunk({}, finish)
      send({ choices: [], usage })
      return response.end('data: [DONE]\n\n')
    })
  }

  /** Loads the model in a folder and starts to listen. */
  static async start(folder: string): Promise<LanguageModelServer> {
    const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true })
    const model = await AutoModelForCausalLM.from_pretrained(folder, { local_files_only: true, dtype: 'fp32' })
    const server = new LanguageModelServer(tokenizer, model)
    await new Promise<void>((resolve) => server.http.listen(0, '127.0.0.1', resolve))
    return server
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections()
    await new Promise((resolve) => this.http.close(resolve))
    await this.model.dispose()
  }

  private async generate(messages: ChatRequest['messages'], onPiece: (piece: string) => void) {
    const inputs = this.tokenizer.apply_chat_template(messages, { add_generation_prompt: true, return_dict: true })
    let text = ''
    let count = 0
    const streamer = new TextStreamer(this.tokenizer, {
      skip_prompt: true,
      skip_special_tokens: true,
      callback_function: (piece: string) => {
        text += piece
        onPiece(piece)
      },
      token_callback_function: () => {
        count += 1
      },
    })
    await this.model.generate({ ...inputs, max_new_tokens: 200, streamer })
    const prompt = inputs.input_ids.dims[1]!
    return { text, usage: { prompt_tokens: prompt, completion_tokens: count, total_tokens: prompt + count } }
  }
}

/** Reads a tool call in the form of Hermes and Qwen. */
function readCall(text: string) {
  const call = /^<tool_call>(.*)<\/tool_call>$/s.exec(text.trim())?.[1]
  if (call === undefined) return undefined
  const { name, arguments: args } = JSON.parse(call)
  return { id: 'call_0', type: 'function', function: { name, arguments: JSON.stringify(args) } }
}
