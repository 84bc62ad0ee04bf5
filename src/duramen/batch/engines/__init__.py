"""Cluster engines: thin adapters that send the same shards to Ray or Spark. The output is the same, byte for byte."""
