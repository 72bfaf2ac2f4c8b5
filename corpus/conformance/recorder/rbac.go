package main

import (
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"

	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
)

// authorizer is who expressions ask: the roles of the Case, of which none is built in, and everything for system:masters.
func (c *cluster) authorizer() authorizer.Authorizer {
	held := c.informers.Rbac().V1()
	return union.New(
		authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup),
		rbac.New(
			&rbac.RoleGetter{Lister: held.Roles().Lister()},
			&rbac.RoleBindingLister{Lister: held.RoleBindings().Lister()},
			&rbac.ClusterRoleGetter{Lister: held.ClusterRoles().Lister()},
			&rbac.ClusterRoleBindingLister{Lister: held.ClusterRoleBindings().Lister()},
		))
}
