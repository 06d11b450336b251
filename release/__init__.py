"""What is done before a release, none of it shipped: build and check, licences, types of the public interface."""
