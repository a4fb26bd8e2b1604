import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild([
  'src/index.ts',
  'src/agents.ts',
  'src/chats.ts',
  'src/durable.ts',
  'src/replay.ts',
  'src/retrieval.ts',
  'src/storage.ts',
])
