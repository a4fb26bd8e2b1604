'use client'
import dynamic from 'next/dynamic'

/** The list of chats is in the browser, so the server renders nothing of it. */
export default dynamic(() => import('../src/app.tsx').then(({ App }) => App), { ssr: false })
