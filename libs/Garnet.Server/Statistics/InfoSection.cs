// A section of INFO. Any thread.
using Garnet.Server.Basics;

namespace Garnet.Server.Statistics;

/// <summary>Fields about one part of a server.</summary>
/// <param name="name">The name by which clients ask for it.</param>
/// <param name="title">Its title in the reply.</param>
/// <param name="isDefault">Whether it is part of INFO without arguments.</param>
internal abstract class InfoSection(string name, string title, bool isDefault)
{
    /// <summary>The name by which clients ask for it.</summary>
    public string Name => name;

    /// <summary>Its title in the reply.</summary>
    public string Title => title;

    /// <summary>Whether it is part of INFO without arguments.</summary>
    public bool IsDefault => isDefault;

    /// <summary>Whether only its name asks for it, and <c>all</c> does not.</summary>
    public virtual bool IsApart => false;

    /// <summary>Writes its fields.</summary>
    public abstract void Write(InfoText text, CounterTotals totals);
}
