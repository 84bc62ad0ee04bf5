"""Clusters: thin adapters that give the same shards to Ray or Spark. What is written is the same, byte for byte."""
