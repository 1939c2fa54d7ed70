// Checks a cache's settings before it is created. Stateless.
using Microsoft.Extensions.Options;

namespace Garnet.Caching;

/// <summary>Reports all problems together, each with the name of its setting.</summary>
internal sealed class CacheOptionsValidation<TOptions>(string registration) : IValidateOptions<TOptions>
    where TOptions : GarnetCacheOptions
{
    public ValidateOptionsResult Validate(string? name, TOptions options)
    {
        string[] problems = [.. options.Problems().Select(problem => $"{registration}: {problem}")];
        return problems.Length == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }
}
