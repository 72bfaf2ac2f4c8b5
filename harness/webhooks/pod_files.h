#pragma once

namespace fixpoint::webhooks {

/// Lets this process find the files of its service account where a container has them, in
/// /var/run/secrets/kubernetes.io/serviceaccount: clients in a Pod look nowhere else (client-go's
/// rest.InClusterConfig). They are those of `folder`/serviceaccount. The process gets a file system of its
/// own, in which the rest of /var/run is as before; no other process sees a change. Does nothing where the
/// kernel does not permit it, where the machine has such files itself, or where the folder has none. Makes
/// only system calls.
void place_pod_files(const char* folder);

}  // namespace fixpoint::webhooks
