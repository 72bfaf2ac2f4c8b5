#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/value.h"
#include "harness/external/cluster_api/api_resources.h"

namespace fixpoint::external {

/// The identity of an object among those of its resource: namespace and name, in the server's order.
struct ObjectKey {
  std::string namespace_name = {}, name = {};
  auto operator<=>(const ObjectKey&) const = default;
};

/// The objects of one resource, by identity.
using ShownObjects = std::map<ObjectKey, document::Value>;

/// The objects of a cluster that an API shows.
struct ShownCluster {
  std::map<std::string, ShownObjects, std::less<>> by_store = {};  ///< by ApiResource::store()
  std::vector<std::string> notes = {};  ///< a sentence for each object that cannot be served
};

/// Returns the CustomResourceDefinitions of a cluster, and a guessed one for each kind of its objects that
/// none of them declares.
std::vector<document::Value> definitions_of(const cases::Cluster& cluster);

/// Returns the objects of the cluster as the server would have stored them: with uid and creationTimestamp, a
/// Secret's stringData as data, and a Namespace's label. What the simulator implies is there, too: the
/// namespaces that every cluster has, those of the request and of the objects, the ServiceAccount `default`
/// of each, and what a server's own controllers publish: the Service `kubernetes`, and in each namespace the
/// ConfigMap `kube-root-ca.crt` with `ca_pem`. Of two objects with one identity the last counts, as in
/// cases::Cluster::find().
ShownCluster shown_cluster(const cases::Cluster& cluster, std::string_view request_namespace,
                           const ServedResources& resources, std::string_view ca_pem);

/// Fills in what the server adds to the metadata of a new object: uid and creationTimestamp.
void fill_metadata(document::Value& object, const ApiResource& resource, const ObjectKey& key);

/// Returns a text of that many hexadecimal digits that depends on `text` alone, and is likely to differ for
/// another text.
std::string digest_of(std::string_view text, std::size_t digits);

}  // namespace fixpoint::external
