/** @jsxImportSource react */
/** The chat as a page of assistant-ui: its runtime asks the route, and a component shows the calls of tools. */
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  type ToolCallMessagePartProps,
} from '@assistant-ui/react'
import { AssistantChatTransport, useChatRuntime } from '@assistant-ui/react-ai-sdk'
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { createRoot } from 'react-dom/client'

/** A call, with two buttons while it waits for a decision. */
function Call({ toolName, args, result, approval, respondToApproval }: ToolCallMessagePartProps) {
  const isWaiting = approval !== undefined && approval.approved === undefined
  const decide = (approved: boolean) => void respondToApproval({ approved })
  return (
    <p>
      {toolName} {JSON.stringify(args)} {result !== undefined && JSON.stringify(result)}
      {isWaiting && (
        <>
          <button type="button" onClick={() => decide(true)}>
            Approve
          </button>
          <button type="button" onClick={() => decide(false)}>
            Reject
          </button>
        </>
      )}
    </p>
  )
}

const Message = () => (
  <MessagePrimitive.Root asChild>
    <article>
      <MessagePrimitive.Parts components={{ tools: { Fallback: Call } }} />
    </article>
  </MessagePrimitive.Root>
)

function Shop() {
  const runtime = useChatRuntime({
    // An application sends its session instead.
    transport: new AssistantChatTransport({ api: '/api/chat', headers: { 'x-user': 'ann' } }),
    // Continues the task after a decision.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages components={{ Message }} />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

createRoot(document.getElementById('root')!).render(<Shop />)
