"""For AI agents: the engine as an MCP server, over pages that may try to talk to the agent."""
