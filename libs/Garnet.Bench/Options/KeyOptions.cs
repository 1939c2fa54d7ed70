// Options of keys. Filled by one thread, then only read.
namespace Garnet.Bench.Options;

/// <summary>Which keys are used, and how they are chosen.</summary>
internal sealed class KeyOptions
{
    /// <summary>Precedes the number in <c>__key__</c>.</summary>
    public string Prefix { get; set; } = "key:";

    /// <summary>Smallest number.</summary>
    public long Minimum { get; set; }

    /// <summary>Largest number.</summary>
    public long Maximum { get; set; } = 99_999;

    /// <summary>How keys of writes are chosen.</summary>
    public KeyPattern WritePattern { get; set; } = KeyPattern.Uniform;

    /// <summary>How keys of reads are chosen.</summary>
    public KeyPattern ReadPattern { get; set; } = KeyPattern.Uniform;

    /// <summary>Standard deviation of the Gaussian pattern; null for a sixth of the range.</summary>
    public double? StandardDeviation { get; set; }

    /// <summary>Median of the Gaussian pattern; null for the middle of the range.</summary>
    public double? Median { get; set; }

    /// <summary>Exponent of the Zipf pattern.</summary>
    public double ZipfExponent { get; set; } = 1;

    /// <summary>Whether random numbers of templates count up instead.</summary>
    public bool IsSequential { get; set; }

    /// <summary>How many keys there are.</summary>
    public long Count => Maximum - Minimum + 1;
}
