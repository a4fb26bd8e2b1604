'use client'
import dynamic from 'next/dynamic'

/** The browser loads the chats, so the server renders nothing of them. */
export default dynamic(() => import('../src/app.tsx').then(({ App }) => App), { ssr: false })
