// The ends of a list.
namespace Garnet.Server.Commands.Lists;

/// <summary>Where elements come or go.</summary>
internal enum ListEnd
{
    /// <summary>Before the first element.</summary>
    Left,

    /// <summary>Behind the last element.</summary>
    Right,
}
