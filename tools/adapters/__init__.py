"""What is reached outside our own code: models, encoders, MCP tools, papers, vector indexes."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.adapters.chat_model import ChatModel, ChatModels, OpenAIChat, meter_model_use
    from tools.adapters.embedding.embedder import Embedder, Vectors
    from tools.adapters.embedding.encoder import Encoder
    from tools.adapters.mcp.connection import McpConnection
    from tools.adapters.papers.paper_search import PaperSearch
    from tools.adapters.vector_index.indexer import Indexer
    from tools.adapters.vector_index.vector_table import VectorOwner, VectorTable

__all__ = [
    "ChatModel",
    "ChatModels",
    "Embedder",
    "Encoder",
    "Indexer",
    "McpConnection",
    "OpenAIChat",
    "PaperSearch",
    "VectorOwner",
    "VectorTable",
    "Vectors",
    "meter_model_use",
]

__getattr__ = lazy_names(
    __name__,
    {
        "chat_model": ("ChatModel", "ChatModels", "OpenAIChat", "meter_model_use"),
        "embedding.embedder": ("Embedder", "Vectors"),
        "embedding.encoder": ("Encoder",),
        "mcp.connection": ("McpConnection",),
        "papers.paper_search": ("PaperSearch",),
        "vector_index.indexer": ("Indexer",),
        "vector_index.vector_table": ("VectorOwner", "VectorTable"),
    },
)
