/** The route of the chat. The database is opened by the first request, not by the build. */
const answer = async (request: Request) => (await import('../../../../server/chat.ts')).answer(request)

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'
export { answer as DELETE, answer as GET, answer as POST }
