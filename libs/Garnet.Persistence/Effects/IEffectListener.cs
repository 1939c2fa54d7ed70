// Learns that a stream of effects has grown. Called by the appending threads, under the latches of written keys.
namespace Garnet.Persistence.Effects;

/// <summary>Wakes whoever uses a reader; must return at once, must not throw, and must not use the stream.</summary>
internal interface IEffectListener
{
    /// <summary>Something was appended.</summary>
    void OnAppended();

    /// <summary>
    /// The reader was dropped, and nothing more can be read from it. Called at least once; never for a reader that may fall behind without
    /// a limit.
    /// </summary>
    void OnDropped() { }
}
