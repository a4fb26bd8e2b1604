import { expect, it } from 'vitest'

it('the main entry exports these values', async () => {
  expect(Object.keys(await import('./index.ts')).sort()).toMatchInlineSnapshot(`
    [
      "BaseEmbedding",
      "BaseOutputParser",
      "CallbackManager",
      "ChatMessage",
      "ChatResponse",
      "ChatStoreError",
      "ClassNameMismatchError",
      "ClassRegistry",
      "CompletionResponse",
      "ComponentInputError",
      "ComponentOutputError",
      "ConfigurationError",
      "CustomLLM",
      "Document",
      "EmbeddingDimensionError",
      "EmbeddingNotSetError",
      "EmptyInputError",
      "ImageDocument",
      "ImageNode",
      "ImageNotSetError",
      "IndexNode",
      "LLM",
      "LLMMetadata",
      "LLMWrapper",
      "MissingVariableError",
      "Model",
      "ModelCallError",
      "ModelValidationError",
      "NodeNotFoundError",
      "NodeRelationship",
      "NodeWithScore",
      "NotSupportedError",
      "ObjectType",
      "QueryBundle",
      "QueryComponent",
      "RelatedNodeInfo",
      "RelationshipShapeError",
      "ScoreNotSetError",
      "SerializationError",
      "SimpleChatStore",
      "StreamingParserError",
      "TemplateSyntaxError",
      "TextNode",
      "ToolOutput",
      "ToolkitError",
      "UnknownClassNameError",
      "UnknownNodeTypeError",
      "addUsage",
      "chatToCompletionResponse",
      "completionToChatResponse",
      "docToJson",
      "escapeTemplate",
      "estimateTokens",
      "eventTypes",
      "finishReasonFrom",
      "finishReasonOf",
      "inputText",
      "isFilePart",
      "isImagePart",
      "isInstance",
      "isModel",
      "isNode",
      "isReasoningPart",
      "isRetryable",
      "isTextPart",
      "isToolkitError",
      "jsonToDoc",
      "leafEventTypes",
      "meanAgg",
      "messageRoles",
      "messageText",
      "messagesToHistoryStr",
      "messagesToPrompt",
      "metadataModes",
      "modelCallErrorFrom",
      "nodeClasses",
      "programModes",
      "promptToMessages",
      "reasoningOf",
      "similarity",
      "similarityModes",
      "toolCallsOf",
      "usageOf",
      "usageRecord",
      "withCache",
      "withEvent",
      "withFallback",
      "withRetry",
      "withTrace",
    ]
  `)
})

it('the internal entry exports these values', async () => {
  expect(Object.keys(await import('./internal.ts')).sort()).toMatchInlineSnapshot(`
    [
      "deepCopy",
      "deepEqual",
      "fillTemplate",
      "hasImageFields",
      "idSeries",
      "inputTextOrStream",
      "isPlainObject",
      "kindOf",
      "lazy",
      "mapConcurrently",
      "mapValues",
      "newId",
      "parseLiteralTemplate",
      "parseTemplate",
      "sha256",
      "untilAborted",
      "valueText",
    ]
  `)
})

it('the schemas entry exports these values', async () => {
  expect(Object.keys(await import('./schemas.ts')).sort()).toMatchInlineSnapshot(`
    [
      "BaseEmbedding",
      "ChatMessage",
      "ChatResponse",
      "CompletionResponse",
      "Document",
      "ImageDocument",
      "ImageNode",
      "IndexNode",
      "LLM",
      "LLMMetadata",
      "NodeWithScore",
      "QueryBundle",
      "RelatedNodeInfo",
      "TextNode",
      "ToolOutput",
      "anything",
      "component",
      "embeddingFields",
      "freeForm",
      "live",
      "llmFields",
      "nested",
      "nullable",
      "oneOf",
      "record",
      "textList",
    ]
  `)
})

it('the runtime entry exports these values', async () => {
  expect(Object.keys(await import('./runtime.ts')).sort()).toMatchInlineSnapshot(`
    [
      "runtimeSpec",
      "typebox",
    ]
  `)
})

it('the fields entry exports these values', async () => {
  expect(Object.keys(await import('./fields.ts')).sort()).toMatchInlineSnapshot(`
    [
      "anything",
      "array",
      "boolean",
      "fields",
      "freeForm",
      "integer",
      "jsonSchema",
      "live",
      "nested",
      "nestedLazily",
      "nullable",
      "number",
      "oneOf",
      "record",
      "string",
    ]
  `)
})

it('the testing entry exports these values', async () => {
  expect(Object.keys(await import('./testing.ts')).sort()).toMatchInlineSnapshot(`
    [
      "MapDocumentStore",
      "RecordingCallbackHandler",
      "ScriptedLLM",
      "TableEmbedding",
      "UnexpectedCallError",
    ]
  `)
})
