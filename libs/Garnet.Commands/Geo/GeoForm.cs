// Identifies the command that a search belongs to.
namespace Garnet.Commands.Geo;

/// <summary>How the arguments of a search are laid out.</summary>
[Flags]
internal enum GeoForm
{
    /// <summary>GEORADIUS: a position and a radius.</summary>
    AroundPosition = 1,

    /// <summary>GEORADIUSBYMEMBER: a member and a radius.</summary>
    AroundMember = 2,

    /// <summary>The read-only forms, without STORE.</summary>
    ReadOnly = 4,

    /// <summary>GEOSEARCH: all parameters are options.</summary>
    Search = 8,

    /// <summary>GEOSEARCHSTORE: the destination key comes first.</summary>
    SearchStore = 16,
}
