// The public types of @x/testing, written by `npm run api`.

// ======== @x/testing

interface CheckedServer {
    baseUrl: string;
    apiKey: string;
    idleMs: number;
}

interface ProviderCheck {
    name: string;
    report: string;
    impossible: string | null;
    run(): Promise<void>;
}

interface ProviderCheckOptions {
    impossible?: Readonly<Record<string, string>> | undefined;
}

interface ProviderScore {
    right: number;
    impossible: number;
    total: number;
    problems: readonly string[];
}

declare function providerChecks(create: (server: CheckedServer) => BaseLLM | Promise<BaseLLM>, { impossible }?: ProviderCheckOptions): readonly ProviderCheck[];

declare function providerScore(checks: readonly ProviderCheck[]): Promise<ProviderScore>;
