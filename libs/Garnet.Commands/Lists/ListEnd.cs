// The ends of a list.
namespace Garnet.Commands.Lists;

/// <summary>The end of a list at which elements are added or removed.</summary>
internal enum ListEnd
{
    /// <summary>The head.</summary>
    Left,

    /// <summary>The tail.</summary>
    Right,
}
