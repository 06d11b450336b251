"""Executors: jobs in this process, in local worker processes or on a Dask cluster."""
