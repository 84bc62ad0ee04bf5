"""The MCP server for AI agents, with protection from pages that address the agent."""
