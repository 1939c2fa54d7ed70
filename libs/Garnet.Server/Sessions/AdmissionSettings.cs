// Settings for the admission of commands that are not options. Set before sessions run; any thread reads.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Sessions;

/// <summary>Settings of <see cref="CommandAdmission"/> that no client can change.</summary>
internal sealed class AdmissionSettings
{
    /// <summary>
    /// Size from which a request or a transaction is rejected, because its effects could not be propagated; lower in tests.
    /// </summary>
    public long MaxEffectBytes { get; set; } = EffectBuffer.MaxRequestBytes;

    /// <summary>Loads values that are not in memory; null when all of them are.</summary>
    public IValueSource? ValueSource { get; set; }
}
