/**
 * @module
 * An agent for clients of AG-UI, such as CopilotKit. Entry `@x/ai-sdk/ag-ui`.
 * @see https://docs.ag-ui.com/concepts/events
 */
export { type AgUiEvent, type AgUiRun, agUiEvents } from './ag-ui-events.ts'
export { type AgUiChat, agUiHandler } from './ag-ui-handler.ts'
export {
  loadAgUiInterrupts,
  loadAgUiMessages,
  type StoredAgUiInterrupt,
  type StoredAgUiMessage,
} from './load-ag-ui-messages.ts'
