// Which command a search belongs to.
namespace Garnet.Server.Commands.Geo;

/// <summary>How the arguments of a search are laid out.</summary>
[Flags]
internal enum GeoForm
{
    /// <summary>GEORADIUS: a place, a radius.</summary>
    AroundPosition = 1,

    /// <summary>GEORADIUSBYMEMBER: a member, a radius.</summary>
    AroundMember = 2,

    /// <summary>The forms that only read: no STORE.</summary>
    ReadOnly = 4,

    /// <summary>GEOSEARCH: everything by options.</summary>
    Search = 8,

    /// <summary>GEOSEARCHSTORE: the target comes first.</summary>
    SearchStore = 16,
}
