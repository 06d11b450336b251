"""Forces: potentials, dissipation and loads. One file each; defining the class registers it."""
