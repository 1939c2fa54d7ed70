// The ends of a list.
namespace Garnet.Server.Commands.Lists;

/// <summary>Where elements come or go.</summary>
internal enum ListEnd
{
    /// <summary>Before the first element.</summary>
    Left,

    /// <summary>After the last element.</summary>
    Right,
}
