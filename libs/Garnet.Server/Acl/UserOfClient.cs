// The user of a client.
using System.Runtime.CompilerServices;
using Garnet.Engine.Execution;

namespace Garnet.Server.Acl;

/// <summary>Finds the user that a client is logged in as.</summary>
internal static class UserOfClient
{
    extension(in ClientLogin login)
    {
        /// <summary>The user whose rules apply; null for callers that may do anything, inside the process.</summary>
        public User? User => Unsafe.As<User?>(login.CurrentUser);
    }
}
