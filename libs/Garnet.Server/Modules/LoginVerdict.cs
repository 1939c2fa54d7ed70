// What a module says to a login.
namespace Garnet.Server.Modules;

/// <summary>The values are those of the modules' contract.</summary>
internal enum LoginVerdict
{
    /// <summary>The next one decides: another module, or at last the password.</summary>
    PassOn = 0,

    /// <summary>The client is logged in.</summary>
    Allow = 1,

    /// <summary>The client is not.</summary>
    Deny = 2,
}
